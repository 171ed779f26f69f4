//! Finding the functions in the text of a script: the compiler forgets where their names stand.

use std::collections::BTreeSet;

use rhai::Position;

/// A function as it is written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Defined {
    pub name: String,
    pub params: Vec<String>,
    pub line: u32,
    pub column: u32,
}

impl Defined {
    /// Where its name stands.
    pub fn at(&self) -> Position {
        let short = |n: u32| u16::try_from(n).unwrap_or(u16::MAX);
        Position::new(short(self.line), short(self.column))
    }
}

/// What is found in a text.
#[derive(Default)]
pub(crate) struct Scanned {
    pub functions: Vec<Defined>,
    /// All words in the code.
    pub words: BTreeSet<String>,
}

/// Looks through a script. What is no code (comments, texts) is passed over; whether it can be compiled is not looked at.
pub(crate) fn scan(text: &str) -> Scanned {
    let mut scanner = Scanner { chars: text.chars().collect(), at: 0, line: 1, column: 1, found: Scanned::default() };
    while scanner.at < scanner.chars.len() {
        scanner.code();
        // A brace too many ends the code early.
        scanner.step();
    }
    scanner.found
}

struct Scanner {
    chars: Vec<char>,
    at: usize,
    line: u32,
    column: u32,
    found: Scanned,
}

impl Scanner {
    fn peek(&self, ahead: usize) -> char {
        self.chars.get(self.at + ahead).copied().unwrap_or('\0')
    }

    fn step(&mut self) {
        if self.peek(0) == '\n' {
            self.line += 1;
            self.column = 1;
        } else {
            self.column += 1;
        }
        self.at += 1;
    }

    fn skip(&mut self, n: usize) {
        (0..n).for_each(|_| self.step());
    }

    /// Code up to a `}` that it does not open, or to the end.
    fn code(&mut self) {
        let mut depth = 0;
        while self.at < self.chars.len() {
            match self.peek(0) {
                '/' if self.peek(1) == '/' => self.skip_while(|c| c != '\n'),
                '/' if self.peek(1) == '*' => self.block_comment(),
                '"' => self.quoted('"'),
                '\'' => self.quoted('\''),
                '`' => self.template(),
                '{' => {
                    depth += 1;
                    self.step();
                }
                '}' if depth == 0 => return,
                '}' => {
                    depth -= 1;
                    self.step();
                }
                c if is_word(c) => {
                    let word = self.word();
                    if word == "fn" {
                        self.function();
                    }
                }
                _ => self.step(),
            }
        }
    }

    fn skip_while(&mut self, passes: impl Fn(char) -> bool) {
        while self.at < self.chars.len() && passes(self.peek(0)) {
            self.step();
        }
    }

    /// Comments in blocks may be nested.
    fn block_comment(&mut self) {
        let mut depth = 0;
        while self.at < self.chars.len() {
            match (self.peek(0), self.peek(1)) {
                ('/', '*') => {
                    depth += 1;
                    self.skip(2);
                }
                ('*', '/') => {
                    depth -= 1;
                    self.skip(2);
                    if depth == 0 {
                        return;
                    }
                }
                _ => self.step(),
            }
        }
    }

    fn quoted(&mut self, end: char) {
        self.step();
        while self.at < self.chars.len() {
            match self.peek(0) {
                '\\' => self.skip(2),
                // A text in plain quotes ends with its line, whatever is missing.
                '\n' => return,
                c => {
                    self.step();
                    if c == end {
                        return;
                    }
                }
            }
        }
    }

    /// A text in back quotes: it may hold code.
    fn template(&mut self) {
        self.step();
        while self.at < self.chars.len() {
            match (self.peek(0), self.peek(1)) {
                ('$', '{') => {
                    self.skip(2);
                    self.code();
                    self.step();
                }
                ('`', '`') => self.skip(2),
                ('`', _) => return self.step(),
                _ => self.step(),
            }
        }
    }

    fn word(&mut self) -> String {
        let from = self.at;
        self.skip_while(is_word);
        let word: String = self.chars[from..self.at].iter().collect();
        if !word.starts_with(|c: char| c.is_ascii_digit()) {
            self.found.words.insert(word.clone());
        }
        word
    }

    fn spaces(&mut self) {
        self.skip_while(char::is_whitespace);
    }

    /// Name and parameters after `fn`.
    fn function(&mut self) {
        self.spaces();
        let (line, column) = (self.line, self.column);
        if !is_word(self.peek(0)) {
            return;
        }
        let name = self.word();
        self.spaces();
        if self.peek(0) != '(' {
            return;
        }
        self.step();
        let mut params = Vec::new();
        while self.at < self.chars.len() && self.peek(0) != ')' {
            if is_word(self.peek(0)) {
                params.push(self.word());
            } else {
                self.step();
            }
        }
        self.found.functions.push(Defined { name, params, line, column });
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}
