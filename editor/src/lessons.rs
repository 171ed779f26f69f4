//! The lessons of the guided first game. Each lesson is a record in the folder `lessons`. The
//! record begins with the texts of the lesson as comments, then sets up a position. The answers
//! after the line `# solution` reach the goal of the lesson; the `expect` lines after the answers
//! check the goal.

use std::sync::OnceLock;

use table::{AwaitedActor, Seat, Snapshot};

/// The files of the lessons: the name and the content of each file.
const LESSON_FILES: [(&str, &str); 12] = [
    ("lay", include_str!("../lessons/01_lay.game")),
    ("turn", include_str!("../lessons/02_turn.game")),
    ("claim", include_str!("../lessons/03_claim.game")),
    ("road", include_str!("../lessons/04_road.game")),
    ("city", include_str!("../lessons/05_city.game")),
    ("cloister", include_str!("../lessons/06_cloister.game")),
    ("supply", include_str!("../lessons/07_supply.game")),
    ("taken", include_str!("../lessons/08_taken.game")),
    ("majority", include_str!("../lessons/09_majority.game")),
    ("field", include_str!("../lessons/10_field.game")),
    ("end", include_str!("../lessons/11_end.game")),
    ("summary", include_str!("../lessons/12_summary.game")),
];

/// The line of a lesson file that separates the position from the solution.
const SOLUTION_HEADING: &str = "\n# solution\n";

/// The names of the texts of a lesson.
const TEXT_NAMES: [&str; 6] = ["title", "text", "goal", "done", "elsewhere", "otherwise"];

/// A lesson of the guided first game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lesson {
    /// The name of the lesson, which the settings store.
    pub name: &'static str,
    /// The title of the lesson.
    pub title: String,
    /// The explanation, as Markdown.
    pub text: String,
    /// The task of the player; empty if the lesson is only a page to read.
    pub goal: String,
    /// The text for a player who has reached the goal.
    pub done: String,
    /// The text for a player who has laid the tile at another place than the solution. If it is
    /// empty, `otherwise` is used.
    pub elsewhere: String,
    /// The text for a player whose move has not reached the goal.
    pub otherwise: String,
    /// The record of the position.
    pub position: &'static str,
    /// Answers that reach the goal, in order.
    pub solution: Vec<&'static str>,
    /// The `expect` lines that hold when the goal is reached.
    pub expectations: String,
}

impl Lesson {
    /// Reads a lesson from its file.
    fn parse(name: &'static str, file: &'static str) -> Lesson {
        let mut texts: Vec<(&str, String)> = Vec::new();
        let comments = file.lines().map_while(|line| line.strip_prefix('#'));
        for line in comments.map(str::trim) {
            match line.split_once(": ").filter(|(word, _)| TEXT_NAMES.contains(word)) {
                Some((word, text)) => texts.push((word, text.to_owned())),
                None => texts.iter_mut().last().into_iter().for_each(|(_, text)| {
                    text.push('\n');
                    text.push_str(line);
                }),
            }
        }
        let text = |word: &str| texts.iter().find(|(it, _)| *it == word).map_or_else(String::new, |it| it.1.clone());
        let sentences = |word: &str| text(word).replace('\n', " ");
        let (position, rest) = file.split_once(SOLUTION_HEADING).unwrap_or((file, ""));
        let (goal, solution): (Vec<&str>, Vec<&str>) = rest.lines().partition(|line| line.starts_with("expect "));
        Lesson {
            name,
            title: sentences("title"),
            text: text("text"),
            goal: sentences("goal"),
            done: sentences("done"),
            elsewhere: sentences("elsewhere"),
            otherwise: sentences("otherwise"),
            position,
            solution,
            expectations: goal.iter().map(|line| format!("{line}\n")).collect(),
        }
    }

    /// Returns whether the lesson has a goal. A lesson without a goal is only a page to read.
    pub fn has_goal(&self) -> bool {
        !self.goal.is_empty()
    }
}

/// Returns all lessons, in order.
pub fn lessons() -> &'static [Lesson] {
    static LESSONS: OnceLock<Vec<Lesson>> = OnceLock::new();
    LESSONS.get_or_init(|| LESSON_FILES.iter().map(|(name, file)| Lesson::parse(name, file)).collect())
}

/// The stage of a lesson.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LessonStage {
    /// The user's move is not complete yet.
    Open,
    /// The goal is being checked.
    Checking,
    /// The user has reached the goal.
    Reached,
    /// The user has made a move that does not reach the goal.
    Missed,
}

/// The lesson that was opened last, and its stage.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OpenLesson {
    /// The number of the session in which the lesson is played.
    session: u64,
    /// The number of answers before the position of the lesson.
    pub(crate) at: usize,
    /// The player whose moves the user makes.
    seat: Seat,
    /// The number of the lesson, counted from 0.
    pub number: usize,
    /// The lesson.
    pub lesson: &'static Lesson,
    /// The stage of the lesson.
    pub stage: LessonStage,
}

impl OpenLesson {
    /// Returns the lesson with this number, which begins at the current position.
    pub(crate) fn new(seen: &Snapshot, number: usize, lesson: &'static Lesson) -> OpenLesson {
        let seat = seen.view().player();
        OpenLesson { session: seen.id(), at: seen.position_index(), seat, number, lesson, stage: LessonStage::Open }
    }

    /// Returns whether this lesson is on the board.
    pub(crate) fn is_on_board(&self, seen: &Snapshot) -> bool {
        self.session == seen.id()
    }

    /// Returns whether the user's moves in this lesson are over: the game is at the end of the
    /// branch and the user is not to move.
    pub(crate) fn is_answered(&self, seen: &Snapshot) -> bool {
        seen.is_live() && seen.awaited_actor() != AwaitedActor::Person(self.seat)
    }

    /// Returns the text for a user whose move has not reached the goal.
    pub(crate) fn missed_text(&self, seen: &Snapshot) -> &'static str {
        let lesson = self.lesson;
        // The first answer of a solution is a placement, such as `place 1,0 90`.
        let place = lesson.solution.first().and_then(|line| line.rsplit_once(' ')).map_or("", |(place, _)| place);
        let is_place = |text: &str| text.strip_prefix(place).is_some_and(|rest| rest.starts_with(' '));
        let is_there = seen.steps().iter().skip(self.at).any(|step| is_place(&step.text));
        if is_there || lesson.elsewhere.is_empty() { &lesson.otherwise } else { &lesson.elsewhere }
    }

    /// Returns whether the user has made at least one move in this lesson.
    pub fn is_begun(&self, seen: &Snapshot) -> bool {
        seen.position_index() > self.at
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_lesson_has_its_texts() {
        for lesson in lessons() {
            let Lesson { name, title, text, done, .. } = lesson;
            assert!(!title.is_empty() && text.len() > 40, "{name}");
            assert_eq!(lesson.has_goal(), !done.is_empty() && !lesson.solution.is_empty(), "{name}");
            assert_eq!(lesson.has_goal(), !lesson.expectations.is_empty(), "{name}");
            assert!(lesson.position.contains("\nbastide 1\n"), "{name}");
            // A goal names "No piece" if the game offers this choice.
            assert_eq!(lesson.goal.contains("No piece"), lesson.solution.contains(&"pass"), "{name}");
        }
        let page = lessons().iter().filter(|lesson| !lesson.has_goal()).map(|lesson| lesson.name);
        assert_eq!(page.collect::<Vec<_>>(), ["summary"]);
    }

    #[test]
    fn a_lesson_is_read_from_its_file() {
        let file = "# title: One\n# text: First,\n#   then.\n#\n#   More.\n# goal: Do\n#   it.\nbastide 1\n# solution\nplace 1,0 0\n\
                    expect over\nexpect winner blue\n";
        let lesson = Lesson::parse("one", file);
        assert_eq!((lesson.title.as_str(), lesson.goal.as_str()), ("One", "Do it."));
        assert_eq!(lesson.text, "First,\nthen.\n\nMore.");
        assert!(lesson.position.ends_with("bastide 1"));
        assert_eq!(lesson.solution, ["place 1,0 0"]);
        assert_eq!(lesson.expectations, "expect over\nexpect winner blue\n");
    }
}
