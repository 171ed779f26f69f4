//! The questions of a guest's window about the position, which the table answers.

use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, Sender, channel};

use door::AnsweredQuestions;
use egui::Context;
use platform::time::{Duration, Instant};
use table::{Insight, Revision};

use crate::questions::{Asker, Question, QuestionAnswer, Reply};

/// The pause between two requests with questions, because tables limit their rate.
const PAUSE: Duration = Duration::from_millis(250);

/// The maximum number of questions in a request. The questions per second are fewer than tables
/// allow.
const MAX_AT_ONCE: usize = 8;

/// The questions that the window has asked and not sent yet.
pub struct GuestQuestions {
    asked: Receiver<(Revision, Insight)>,
    waiting: VecDeque<(Revision, Insight)>,
    replies: Sender<Reply>,
    sent: Option<Instant>,
}

impl GuestQuestions {
    /// Makes an empty list, and the handle with which the window asks. Only the host can answer
    /// questions that are not insights, so they get no reply.
    pub fn new() -> (Asker, GuestQuestions) {
        let ((sender, asked), (replies, received)) = (channel(), channel());
        let ask = move |revision, question| {
            if let Question::Insight(insight) = question {
                // Sending fails only while the window leaves the table.
                let _ = sender.send((revision, insight));
            }
        };
        (Asker::new(ask, received), GuestQuestions { asked, waiting: VecDeque::new(), replies, sent: None })
    }

    /// Removes and returns questions about the position of `revision` when a request may be sent.
    /// Wakes the window at this time. Drops questions about other positions.
    pub fn due(&mut self, ctx: &Context, revision: Revision) -> Vec<Insight> {
        self.waiting.extend(self.asked.try_iter());
        self.waiting.retain(|(of, _)| *of == revision);
        if self.waiting.is_empty() {
            return Vec::new();
        }
        let passed = self.sent.map_or(PAUSE, |sent| sent.elapsed());
        if passed < PAUSE {
            ctx.request_repaint_after(PAUSE.saturating_sub(passed));
            return Vec::new();
        }
        self.sent = Some(Instant::now());
        let n = self.waiting.len().min(MAX_AT_ONCE);
        self.waiting.drain(..n).map(|(_, insight)| insight).collect()
    }

    /// Hands over the answers of the table about the position of `revision`.
    pub fn answer(&self, revision: Revision, answers: AnsweredQuestions) {
        for (insight, answer) in answers.found {
            let (question, answer) = (Question::Insight(insight), answer.map(QuestionAnswer::Insight));
            // Sending fails only while the window leaves the table.
            let _ = self.replies.send(Reply { revision, question, answer });
        }
    }
}
