//! Explains parse errors by the tokens around them.

use diagnostic::is_hidden;
use rhai::{LexError, ParseErrorType, Position};

use crate::error_text::{forbidden_word, parse_message};
use crate::lex::{PositionConverter, ScriptToken, ScriptTokenKind, lex};

/// The help text for an expression that is nested too deeply.
const NESTING_HELP: &str = "store a part in a variable first, `let near = ...;`, or move a part into a function of its own: expressions may be \
                            64 levels deep at the top of a script and 32 in a function, including the closures in them";

/// The help text for a block without braces.
const BLOCK_HELP: &str = "write the block in braces: `{ ... }`";

/// The message for a loop that begins as in another programming language.
const LOOP_MESSAGE: &str = "a `for` loop begins with `for item in list`";

/// The explanation of a parse error.
pub(super) struct Explanation {
    pub(super) message: String,
    pub(super) help: Option<String>,
    /// True if the script uses syntax of another programming language at the place. Further errors
    /// of the grammar in the same line probably have the same cause.
    pub(super) is_foreign: bool,
}

/// A script around the place of a parse error.
struct Surroundings<'t> {
    text: &'t str,
    /// The tokens of the script, without comments.
    tokens: Vec<ScriptToken>,
    /// The index of the token at the place, or of the next one; the number of tokens at the end of
    /// the text.
    place: usize,
}

/// Explains a parse error at `at` in `text`.
pub(super) fn explain(error: &ParseErrorType, at: Position, text: &str) -> Explanation {
    let around = Surroundings::of(text, at);
    if let Some((message, help)) = around.foreign_syntax(error) {
        return Explanation { message, help: Some(help), is_foreign: true };
    }
    let message = around.message(error).unwrap_or_else(|| parse_message(error));
    Explanation { message, help: around.help(error), is_foreign: false }
}

impl<'t> Surroundings<'t> {
    fn of(text: &'t str, at: Position) -> Surroundings<'t> {
        let offset = if at.is_none() { text.len() } else { PositionConverter::new(text).byte_offset(at) };
        let tokens = lex(text).into_iter().filter(|token| token.kind != ScriptTokenKind::Comment);
        let tokens: Vec<ScriptToken> = tokens.collect();
        let place = tokens.partition_point(|token| token.bytes.end <= offset);
        Surroundings { text, tokens, place }
    }

    fn word(&self, token: &ScriptToken) -> &'t str {
        self.text.get(token.bytes.clone()).unwrap_or_default()
    }

    /// Returns the token `distance` tokens after the place, or before it if `distance` is negative.
    /// Returns `None` outside the script.
    fn token_at(&self, distance: isize) -> Option<&ScriptToken> {
        self.place.checked_add_signed(distance).and_then(|i| self.tokens.get(i))
    }

    /// Returns the word of the token at `distance`; empty if there is none.
    fn word_at(&self, distance: isize) -> &'t str {
        self.token_at(distance).map_or("", |token| self.word(token))
    }

    /// Returns the name at `distance`, if the token there is a name.
    fn name_at(&self, distance: isize) -> Option<&'t str> {
        let token = self.token_at(distance).filter(|token| token.kind == ScriptTokenKind::Name)?;
        Some(self.word(token))
    }

    /// Returns the word at the place; empty at the end of the text.
    fn here(&self) -> &'t str {
        self.word_at(0)
    }

    /// Returns the reserved word at the place, if a name is expected there.
    fn reserved_name(&self, error: &ParseErrorType) -> Option<&'t str> {
        let token = self.token_at(0).filter(|token| token.kind == ScriptTokenKind::Keyword)?;
        let before = self.word_at(-1);
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
                word if foreign_name_help(word).is_some() => return self.foreign_help(word),
                _ => "statements end with `;`; often the line before lacks it",
            },
            ParseErrorType::MissingToken(token, _) if token == "{" => {
                return self.foreign_help(self.here()).or_else(|| Some(BLOCK_HELP.to_owned()));
            }
            ParseErrorType::FnMissingBody(_) if self.here() == ":" => BLOCK_HELP,
            ParseErrorType::BadInput(LexError::MalformedChar(_)) => "texts need double quotes",
            ParseErrorType::BadInput(LexError::UnexpectedInput(sign)) => return character_help(sign),
            ParseErrorType::UnknownOperator(sign) if sign == "?" => "write `if a { b } else { c }`",
            ParseErrorType::MissingToken(..) | ParseErrorType::UnexpectedEOF => {
                return self.unclosed_help().or_else(|| self.foreign_help(self.here()));
            }
            ParseErrorType::WrongFnDefinition => {
                let inside = "functions cannot stand inside others";
                let unclosed = self.unclosed_help().map(|unclosed| format!("{unclosed}; {inside}"));
                return unclosed.or_else(|| Some(format!("{inside}: move this one out")));
            }
            ParseErrorType::ExprTooDeep => NESTING_HELP,
            other => match forbidden_word(other)? {
                "import" | "export" => "put shared functions into the script that uses them",
                "eval" => "to call a function by name, use `run(name, ...)`",
                _ if self.declares_name() => "choose another name",
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

    /// Returns whether the script gives a name to something at the place: a variable, a function, a
    /// property or a key of a map.
    fn declares_name(&self) -> bool {
        matches!(self.word_at(-1), "let" | "const" | "for" | "fn" | "." | "?." | "#{") || self.word_at(1) == ":"
    }

    /// Names the innermost bracket around the place if nothing closes it; `None` if there is none.
    fn unclosed_help(&self) -> Option<String> {
        let token = self.open_brackets().pop()?;
        let bracket = self.word(token);
        let end = match bracket {
            "(" => ")",
            "[" => "]",
            _ => "}",
        };
        if self.next_closing_bracket() == Some(end) {
            return None;
        }
        let line = self.text.get(..token.bytes.start)?.matches('\n').count() + 1;
        Some(format!("`{end}` is missing: the `{bracket}` in line {line} is not closed"))
    }

    /// Returns the brackets that are open at the place, from the outermost to the innermost.
    fn open_brackets(&self) -> Vec<&ScriptToken> {
        let mut open = Vec::new();
        for token in self.tokens.iter().take(self.place) {
            match self.word(token) {
                "(" | "[" | "{" | "#{" => open.push(token),
                ")" | "]" | "}" => drop(open.pop()),
                _ => {}
            }
        }
        open
    }

    /// Returns the bracket after the place that closes the innermost bracket around the place, even
    /// if the two are of different kinds. Returns `None` if the script never closes it.
    fn next_closing_bracket(&self) -> Option<&'t str> {
        let mut depth = 0usize;
        for token in self.tokens.iter().skip(self.place) {
            match self.word(token) {
                "(" | "[" | "{" | "#{" => depth += 1,
                bracket @ (")" | "]" | "}") => match depth.checked_sub(1) {
                    Some(less) => depth = less,
                    None => return Some(bracket),
                },
                _ => {}
            }
        }
        None
    }

    /// Returns whether the innermost bracket around the place is round or square, so that the place
    /// lies in an expression.
    fn is_in_expression(&self) -> bool {
        self.open_brackets().pop().is_some_and(|token| matches!(self.word(token), "(" | "["))
    }
}

/// Syntax of other programming languages. Each function returns the message and the help for one
/// kind of syntax, if the script uses it at the place.
impl Surroundings<'_> {
    fn foreign_syntax(&self, error: &ParseErrorType) -> Option<(String, String)> {
        let foreign = self.foreign_sign().or_else(|| self.foreign_closure(error));
        let foreign = foreign.or_else(|| self.foreign_text(error)).or_else(|| self.foreign_type(error));
        let foreign = foreign.or_else(|| self.foreign_loop()).or_else(|| self.foreign_list(error));
        foreign.or_else(|| self.foreign_map(error)).or_else(|| self.stray_else(error))
    }

    /// Explains `# comment`, `i++` and `i--`.
    fn foreign_sign(&self) -> Option<(String, String)> {
        let sign = self.here();
        let operator = match sign {
            "#" => return Some(("`#` does not begin a comment".to_owned(), "a comment begins with `//`".to_owned())),
            "++" => "+=",
            "--" => "-=",
            _ => return None,
        };
        let variable = self.name_at(-1).filter(|_| self.word_at(-2) != ".").or_else(|| self.name_at(1));
        let variable = variable.map_or_else(String::new, |name| format!("{name} "));
        Some((format!("there is no operator `{sign}`"), format!("write `{variable}{operator} 1`")))
    }

    /// Explains `z => z.x`, `lambda z: z.x` and `function(z) { z.x }`.
    fn foreign_closure(&self, error: &ParseErrorType) -> Option<(String, String)> {
        let is_undefined = matches!(error, ParseErrorType::VariableUndefined(_));
        let is_missing = matches!(error, ParseErrorType::MissingToken(..));
        let is_value = |distance: isize| self.is_in_expression() || self.word_at(distance) == "=";
        // The second value is the distance of the first parameter.
        let (sign, param) = match (self.word_at(-2), self.word_at(-1), self.here()) {
            (_, _, "=>") if is_missing && is_value(-2) => ("=>", -1),
            (_, _, "lambda") if is_undefined => ("lambda", 1),
            (_, _, "fn") if matches!(error, ParseErrorType::BadInput(_)) => ("fn", 2),
            ("function", "(", _) if is_undefined => ("function", 0),
            ("function", "()", "{") if is_missing => ("function", 0),
            _ if is_undefined && is_value(-1) && self.has_arrow_ahead() => ("=>", 0),
            _ => return None,
        };
        let param = self.name_at(param).unwrap_or("it");
        Some((format!("closures are not written with `{sign}`"), format!("write a closure as `|{param}| ...`")))
    }

    /// Returns whether names follow at the place, then perhaps `)`, and then `=>`.
    fn has_arrow_ahead(&self) -> bool {
        let tokens = self.tokens.iter().skip(self.place).map(|token| (token.kind, self.word(token)));
        let mut rest = tokens.skip_while(|(kind, word)| *kind == ScriptTokenKind::Name || *word == ",");
        match rest.next() {
            Some((_, ")")) => rest.next().is_some_and(|(_, word)| word == "=>"),
            next => next.is_some_and(|(_, word)| word == "=>"),
        }
    }

    /// Explains `f"{t.id}"`.
    fn foreign_text(&self, error: &ParseErrorType) -> Option<(String, String)> {
        let distance = match error {
            ParseErrorType::VariableUndefined(_) => 0,
            ParseErrorType::MissingToken(..) | ParseErrorType::BadInput(_) => -1,
            _ => return None,
        };
        let prefix = self.token_at(distance).filter(|token| matches!(self.word(token), "f" | "F"))?;
        let rest = self.text.get(prefix.bytes.end..)?;
        rest.starts_with(['"', '\'', '`']).then(|| {
            let message = format!("texts have no prefix `{}`", self.word(prefix));
            (message, "write the text between backticks: `...${...}`".to_owned())
        })
    }

    /// Explains types and default values of parameters, types of variables, and types of results.
    fn foreign_type(&self, error: &ParseErrorType) -> Option<(String, String)> {
        let in_params = matches!(error, ParseErrorType::MissingToken(_, why) if why.contains("the parameters of"));
        let (message, ends): (&str, &[&str]) = match (error, self.here()) {
            (_, "=") if in_params => {
                let help = "leave out the value, and pass it in each call".to_owned();
                return Some(("parameters have no default values".to_owned(), help));
            }
            (_, ":") if in_params => ("parameters have no types", &[",", ")", "|", "="]),
            (ParseErrorType::MissingToken(..), ":") if matches!(self.word_at(-2), "let" | "const") => {
                ("variables have no types", &["=", ";"])
            }
            (ParseErrorType::FnMissingBody(_), "->") => ("functions have no types of results", &["{"]),
            _ => return None,
        };
        let help =
            self.text_until(ends).map_or_else(|| "leave out the type".to_owned(), |it| format!("leave out `{it}`"));
        Some((message.to_owned(), help))
    }

    /// Returns the text from the place to the next of the tokens `ends`; `None` if it is long.
    fn text_until(&self, ends: &[&str]) -> Option<&str> {
        let start = self.token_at(0)?.bytes.start;
        let last = self.tokens.iter().skip(self.place).take_while(|token| !ends.contains(&self.word(token))).last()?;
        self.text.get(start..last.bytes.end).filter(|text| text.len() <= 40 && !text.contains('\n'))
    }

    /// Explains `for (z in list)`, `for let z of list`, `for i, z in list` and
    /// `for (let i = 0; i < n; i++)`.
    fn foreign_loop(&self) -> Option<(String, String)> {
        let [third, second, first] = [-3, -2, -1].map(|distance| self.word_at(distance));
        let (name, has_bracket) = match (third, second, first, self.here()) {
            (_, "for", "(", "let" | "const" | "var") => (self.name_at(1), true),
            (_, _, "for", "let" | "const" | "var") => (self.name_at(1), false),
            ("for", "(", _, "in" | "of" | "=") => (self.name_at(-1), true),
            (_, "for", _, "of") => (self.name_at(-1), false),
            (_, "for", _, ",") => {
                let help = "write `for (item, index) in list { ... }`".to_owned();
                return Some((LOOP_MESSAGE.to_owned(), help));
            }
            _ => return None,
        };
        let mut head =
            self.tokens.iter().skip(self.place).map(|token| self.word(token)).take_while(|word| *word != "{");
        let name = name.unwrap_or("item");
        let help = match has_bracket {
            true if head.any(|word| word == ";") => format!("write `for {name} in 0..n {{ ... }}` to count"),
            true => format!("write `for {name} in list {{ ... }}`, without brackets"),
            false => format!("write `for {name} in list {{ ... }}`"),
        };
        Some((LOOP_MESSAGE.to_owned(), help))
    }

    /// Explains `[z for z in list]`.
    fn foreign_list(&self, error: &ParseErrorType) -> Option<(String, String)> {
        let may_be = match error {
            ParseErrorType::VariableUndefined(_) => true,
            ParseErrorType::MissingToken(..) => self.here() == "for",
            _ => false,
        };
        if !may_be || !self.is_in_expression() {
            return None;
        }
        let name = self.name_of_loop_ahead()?;
        let help = format!("write `list.filter(|{name}| ...)` or `list.map(|{name}| ...)`");
        Some(("`for` does not make a list".to_owned(), help))
    }

    /// Returns the variable of a loop that begins at the place or after it, within the innermost
    /// brackets around the place and right after an expression. Returns `None` if there is no such
    /// loop.
    fn name_of_loop_ahead(&self) -> Option<&str> {
        let (mut depth, mut last) = (0usize, self.word_at(-1));
        let mut tokens = self.tokens.iter().skip(self.place);
        while let Some(token) = tokens.next() {
            let word = self.word(token);
            match word {
                "(" | "[" | "{" | "#{" => depth += 1,
                ")" | "]" | "}" => depth = depth.checked_sub(1)?,
                ";" if depth == 0 => return None,
                "for" if depth == 0 && !matches!(last, "," | "(" | "[") => {
                    return tokens.next().map(|token| self.word(token));
                }
                _ => {}
            }
            last = word;
        }
        None
    }

    /// Explains `{ key: value }`.
    fn foreign_map(&self, error: &ParseErrorType) -> Option<(String, String)> {
        let key = match error {
            ParseErrorType::VariableUndefined(_) if self.word_at(-1) == "{" && self.word_at(1) == ":" => self.here(),
            ParseErrorType::MissingToken(..) if self.word_at(-2) == "{" && self.here() == ":" => self.word_at(-1),
            _ => return None,
        };
        Some(("a map begins with `#{`".to_owned(), format!("write a map as `#{{ {key}: ... }}`")))
    }

    /// Explains an `else` after which the block of its `if` is still open, or after a semicolon.
    fn stray_else(&self, error: &ParseErrorType) -> Option<(String, String)> {
        let may_be = matches!(error, ParseErrorType::BadInput(_) | ParseErrorType::MissingToken(..));
        if !may_be || self.here() != "else" {
            return None;
        }
        let help = match (self.word_at(-2), self.word_at(-1)) {
            ("}", ";") => "leave out the `;` before `else`",
            _ => "a `}` is missing before `else`",
        };
        Some(("this `else` belongs to no `if`".to_owned(), help.to_owned()))
    }
}

/// Returns help for a character that scripts contain only in texts and comments. Returns `None` if
/// `sign` is ASCII or not a single character.
fn character_help(sign: &str) -> Option<String> {
    let character = sign.parse::<char>().ok().filter(|c| !c.is_ascii())?;
    let code = u32::from(character);
    Some(match character {
        '\u{a0}' => "this is a non-breaking space (U+00A0): replace it with an ordinary space".to_owned(),
        c if c.is_whitespace() => format!("this is a special space (U+{code:04X}): replace it with an ordinary space"),
        c if is_hidden(c) => format!("this is an invisible character (U+{code:04X}): delete it"),
        '“' | '”' | '„' | '‘' | '’' => "texts need straight double quotes: `\"...\"`".to_owned(),
        c if c.is_alphabetic() => "names consist of the letters a to z, digits and `_`".to_owned(),
        _ => return None,
    })
}

/// Returns help for a word of another programming language. Returns `None` for any other word.
pub(super) fn foreign_name_help(word: &str) -> Option<&'static str> {
    Some(match word {
        "None" | "null" | "nil" | "undefined" | "void" => "write `()` for nothing",
        "True" => "write `true`",
        "False" => "write `false`",
        "and" => "write `&&`",
        "or" => "write `||`",
        "not" => "write `!`",
        "is" => "write `==`",
        "then" => "leave out `then`: write `if a { ... }`",
        "elif" | "elsif" => "write `else if`",
        "unless" => "write `if !a { ... }`",
        "match" | "case" => "write `switch value { \"a\" => ..., _ => ... }`",
        "except" => "write `catch`",
        "def" | "function" | "func" => "functions begin with `fn`",
        "lambda" => "write a closure as `|it| ...`",
        "var" | "local" => "variables begin with `let`",
        "int" | "float" | "bool" => "variables have no types: write `let name = ...;`",
        "class" | "struct" => "there are no classes: write functions, and maps such as `#{ word: \"w\" }`",
        "new" => "leave out `new`: a map is written `#{ word: \"w\" }`",
        "async" | "await" => "leave it out: a question waits for its answer",
        "console" => "write `print(text)`, or `note(text)` for a line in the game's log",
        "self" | "this" => "there are no objects: use the parameters of the function, `turn` and `mem`",
        _ => return None,
    })
}

/// Returns help for the name of a missing variable, if authors often guess this name.
pub(super) fn guessed_name_help(word: &str) -> Option<&'static str> {
    Some(match word {
        "player" => "write `turn.player` for the player whose turn it is; many functions get a player as a parameter",
        "current_player" | "active_player" | "currentPlayer" => "write `turn.player`",
        "players" => "write `players()`",
        "tile" => "the tile laid in this part of the turn is `turn.tile`",
        _ => return None,
    })
}
