//! Explains parse errors by the tokens around them.

use rhai::{LexError, ParseErrorType, Position};

use crate::error_text::{forbidden_word, parse_message};
use crate::lex::{PositionConverter, ScriptToken, ScriptTokenKind, lex};

/// The help text for an expression that is nested too deeply.
const NESTING_HELP: &str = "store a part in a variable first, `let near = ...;`, or move a part into a function of its own: expressions may be \
                            64 levels deep at the top of a script and 32 in a function, including the closures in them";

/// A script around the place of a parse error.
struct Surroundings<'t> {
    text: &'t str,
    /// The tokens before the place, without comments.
    before: Vec<ScriptToken>,
    /// The token at the place, or the next one; `None` at the end of the text.
    here: Option<ScriptToken>,
}

/// Returns the message for a parse error at `at` in `text`, and help if there is any.
pub(super) fn explain(error: &ParseErrorType, at: Position, text: &str) -> (String, Option<String>) {
    let around = Surroundings::of(text, at);
    let message = around.message(error).unwrap_or_else(|| parse_message(error));
    (message, around.help(error))
}

impl<'t> Surroundings<'t> {
    fn of(text: &'t str, at: Position) -> Surroundings<'t> {
        let offset = if at.is_none() { text.len() } else { PositionConverter::new(text).byte_offset(at) };
        let tokens = lex(text).into_iter().filter(|token| token.kind != ScriptTokenKind::Comment);
        let (before, after): (Vec<ScriptToken>, Vec<ScriptToken>) = tokens.partition(|it| it.bytes.end <= offset);
        Surroundings { text, before, here: after.into_iter().next() }
    }

    fn word(&self, token: &ScriptToken) -> &'t str {
        self.text.get(token.bytes.clone()).unwrap_or_default()
    }

    /// Returns the word at the place; empty at the end of the text.
    fn here(&self) -> &'t str {
        self.here.as_ref().map_or("", |token| self.word(token))
    }

    /// Returns the reserved word at the place, if a name is expected there.
    fn reserved_name(&self, error: &ParseErrorType) -> Option<&'t str> {
        let token = self.here.as_ref().filter(|token| token.kind == ScriptTokenKind::Keyword)?;
        let before = self.before.last().map_or("", |token| self.word(token));
        let expects_name = match error {
            ParseErrorType::PropertyExpected => matches!(before, "." | "?." | "#{" | ","),
            ParseErrorType::MissingToken(..) => matches!(before, "#{" | ","),
            ParseErrorType::VariableExpected => matches!(before, "let" | "const" | "for"),
            ParseErrorType::FnMissingName => before == "fn",
            _ => false,
        };
        expects_name.then(|| self.word(token))
    }

    fn message(&self, error: &ParseErrorType) -> Option<String> {
        if let Some(word) = self.reserved_name(error) {
            return Some(format!("`{word}` is a reserved word"));
        }
        Some(match error {
            ParseErrorType::MissingToken(token, _) if token == ";" && matches!(self.here(), ")" | "]") => {
                format!("there is one `{}` too many", self.here())
            }
            ParseErrorType::BadInput(LexError::UnexpectedInput(sign)) if sign == "}" => {
                "there is one `}` too many".to_owned()
            }
            ParseErrorType::BadInput(LexError::MalformedChar(text)) => format!("`'{text}'` is not a text"),
            ParseErrorType::FnMissingBody(name) if !name.is_empty() => {
                format!("`{{` is missing after `fn {name}(...)`")
            }
            ParseErrorType::UnknownOperator(sign) => format!("there is no operator `{sign}`"),
            _ => return None,
        })
    }

    fn help(&self, error: &ParseErrorType) -> Option<String> {
        if self.reserved_name(error).is_some() {
            return Some("choose another name".to_owned());
        }
        let help = match error {
            ParseErrorType::MissingToken(token, _) if token == ";" => match self.here() {
                ")" | "]" => return None,
                _ => "statements end with `;`; often the line before lacks it",
            },
            ParseErrorType::MissingToken(token, _) if token == "{" => return self.foreign_help(self.here()),
            ParseErrorType::BadInput(LexError::MalformedChar(_)) => "texts need double quotes",
            ParseErrorType::UnknownOperator(sign) if sign == "?" => "write `if a { b } else { c }`",
            ParseErrorType::MissingToken(..) | ParseErrorType::UnexpectedEOF => return self.unclosed_help(),
            ParseErrorType::WrongFnDefinition => {
                let unclosed = self.unclosed_help()?;
                return Some(format!("{unclosed}; functions cannot stand inside others"));
            }
            ParseErrorType::ExprTooDeep => NESTING_HELP,
            other => match forbidden_word(other)? {
                "import" | "export" => "put shared functions into the script that uses them",
                "eval" => "to call a function by name, use `run(name, ...)`",
                word if rhai::is_valid_identifier(word) => {
                    return self.foreign_help(word).or_else(|| Some("choose another name".to_owned()));
                }
                _ => return None,
            },
        };
        Some(help.to_owned())
    }

    fn foreign_help(&self, word: &str) -> Option<String> {
        foreign_name_help(word).map(str::to_owned)
    }

    /// Names the last bracket before the place that is not closed there; `None` if there is none.
    fn unclosed_help(&self) -> Option<String> {
        let mut open: Vec<(&ScriptToken, &str)> = Vec::new();
        for token in &self.before {
            match self.word(token) {
                bracket @ ("(" | "[" | "{" | "#{") => open.push((token, bracket)),
                ")" | "]" | "}" => drop(open.pop()),
                text if token.kind == ScriptTokenKind::Text && text.ends_with("${") => open.push((token, "${")),
                _ => {}
            }
        }
        let (token, bracket) = open.pop()?;
        let line = self.text.get(..token.bytes.start)?.matches('\n').count() + 1;
        let end = match bracket {
            "(" => ")",
            "[" => "]",
            _ => "}",
        };
        Some(format!("`{end}` is missing: the `{bracket}` in line {line} is not closed"))
    }
}

/// Returns help for an unknown name that comes from another programming language, or that authors
/// guess although scripts use another expression.
pub(super) fn foreign_name_help(word: &str) -> Option<&'static str> {
    Some(match word {
        "None" | "null" | "nil" | "undefined" => "write `()` for nothing",
        "True" => "write `true`",
        "False" => "write `false`",
        "and" => "write `&&`",
        "or" => "write `||`",
        "not" => "write `!`",
        "then" => "leave out `then`: write `if a { ... }`",
        "elif" | "elsif" => "write `else if`",
        "def" | "function" | "func" => "functions begin with `fn`",
        "var" | "local" => "variables begin with `let`",
        "player" => "`turn.player` is the player whose turn it is; many functions get a player as a parameter",
        "players" => "write `players()`",
        "tile" => "the tile laid in this part of the turn is `turn.tile`",
        _ => return None,
    })
}
