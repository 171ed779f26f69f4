//! Questions of the window about the current position, and their answers. The game thread answers
//! them or, for a guest, the table at another computer.

use std::ops::Range;
use std::sync::Arc;
use std::sync::mpsc::Receiver;

use table::{Insight, InsightAnswer, Regret, Revision, RulesChoice, Session, TracedStep};

/// The calls of mod functions during some steps of the branch.
pub type TracedSteps = Arc<Vec<TracedStep>>;

/// A question about the current position that needs the rules of mods.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Question {
    /// A question that guests can ask, too.
    Insight(Insight),
    /// The effect on the game if it continued with these mods and settings.
    EffectOfRules(RulesChoice),
    /// The calls of mod functions during these steps of the branch.
    Trace(Range<usize>),
    /// The points that the answer with this number loses against the best answer.
    Regret(usize),
}

/// The answer to a [`Question`].
#[derive(Clone, Debug)]
pub enum QuestionAnswer {
    /// The answer to an insight.
    Insight(InsightAnswer),
    /// A sentence about the effect; `None` if it is unknown.
    EffectOfRules(Option<String>),
    /// The calls; `None` if a part of the position is hidden from the viewers.
    Trace(Option<TracedSteps>),
    /// The loss; `None` if it is unknown.
    Regret(Option<Regret>),
}

impl Question {
    /// Answers the question at the current position of `session`.
    pub fn answer(&self, session: &Session) -> QuestionAnswer {
        match self {
            Question::Insight(insight) => QuestionAnswer::Insight(insight.find(&session.game_to_try())),
            Question::EffectOfRules(chosen) => QuestionAnswer::EffectOfRules(session.describe_effect(chosen)),
            Question::Trace(steps) => QuestionAnswer::Trace(session.trace(steps.clone()).map(Arc::new)),
            Question::Regret(step) => QuestionAnswer::Regret(session.regret(*step)),
        }
    }
}

/// A reply to a [`Question`].
#[derive(Debug)]
pub struct Reply {
    /// The revision of the game that the question is about.
    pub revision: Revision,
    /// The question.
    pub question: Question,
    /// The answer; `None` if the question must be asked again.
    pub answer: Option<QuestionAnswer>,
}

/// The end at which the window asks questions and receives replies.
pub struct Asker {
    ask: Box<dyn Fn(Revision, Question)>,
    pub(crate) replies: Receiver<Reply>,
}

impl Asker {
    /// Makes an asker that passes each question to `ask`, and receives `replies`.
    pub fn new(ask: impl Fn(Revision, Question) + 'static, replies: Receiver<Reply>) -> Asker {
        Asker { ask: Box::new(ask), replies }
    }

    /// Asks a question about the position of `revision`.
    pub fn ask(&self, revision: Revision, question: Question) {
        (self.ask)(revision, question);
    }
}
