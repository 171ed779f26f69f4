//! Finds functions, constants and words in the text of a script, because the compiler does not keep
//! the positions of function names.

use std::collections::{BTreeMap, BTreeSet};

use rhai::{Engine, Position, Token};

use crate::lex::Braces;

/// A function as defined in the text of a script.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct DefinedFunction {
    pub name: String,
    pub params: Vec<String>,
    /// The place of the function's name.
    pub at: Position,
}

impl DefinedFunction {
    /// Returns the line and the column of the function's name, both counted from 1.
    pub(crate) fn line_and_column(&self) -> (usize, usize) {
        (self.at.line().unwrap_or(1), self.at.position().unwrap_or(1))
    }
}

/// The functions, constants and words found in the text of a script.
#[derive(Default)]
pub(crate) struct ScriptScan {
    pub functions: Vec<DefinedFunction>,
    /// Names of the constants outside functions.
    pub constants: Vec<String>,
    /// All names in the code.
    pub words: BTreeSet<String>,
    /// The place of the first statement, block or case beyond [`MAX_STATEMENTS`]; `None` if the
    /// script is within this limit.
    pub too_many_at: Option<Position>,
    /// The texts among the cases of each `switch`, by the place of the word `switch`. The compiler
    /// keeps only hashes of cases.
    pub cases: BTreeMap<Position, Vec<PlacedText>>,
    /// True if the text ends within an unfinished comment. The compiler accepts such a text.
    pub ends_in_comment: bool,
}

/// A literal text with its place.
pub(crate) type PlacedText = (String, Position);

/// A `switch` whose cases are being read.
struct OpenSwitch {
    /// The place of the word `switch`.
    at: Position,
    /// The texts since the last comma or brace, which are cases if `=>` follows.
    texts: Vec<PlacedText>,
    /// True between the beginning of a case and its condition or `=>`.
    is_in_case: bool,
}

/// Reads the cases of all `switch` statements of a script.
#[derive(Default)]
struct CaseReader {
    /// The open brackets, from the outermost to the innermost. `None` for brackets that are not the
    /// block of a `switch`.
    brackets: Vec<Option<OpenSwitch>>,
    /// Each `switch` whose block has not begun, with the number of brackets around it.
    begun: Vec<(Position, usize)>,
}

impl CaseReader {
    /// Processes a token. Adds the cases before `=>` to `found`.
    fn process(&mut self, token: &Token, at: Position, found: &mut BTreeMap<Position, Vec<PlacedText>>) {
        match token {
            Token::Switch => self.begun.push((at, self.brackets.len())),
            Token::LeftBrace => {
                let begun = self.begun.pop_if(|(_, depth)| *depth == self.brackets.len());
                self.brackets.push(begun.map(|(at, _)| OpenSwitch { at, texts: Vec::new(), is_in_case: true }));
            }
            Token::LeftParen | Token::LeftBracket | Token::MapStart => self.brackets.push(None),
            Token::RightParen | Token::RightBracket | Token::RightBrace => drop(self.brackets.pop()),
            _ => {}
        }
        let Some(Some(open)) = self.brackets.last_mut() else { return };
        match token {
            // A comma may be missing after a case that ends with a block.
            Token::Comma | Token::RightBrace => (open.texts, open.is_in_case) = (Vec::new(), true),
            Token::If => open.is_in_case = false,
            Token::StringConstant(text) if open.is_in_case => open.texts.push((text.to_string(), at)),
            Token::DoubleArrow => {
                found.entry(open.at).or_default().append(&mut open.texts);
                open.is_in_case = false;
            }
            _ => {}
        }
    }
}

/// The construct that the last tokens have begun, such as a function whose name was read.
enum OpenConstruct {
    Nothing,
    Constant,
    Function,
    /// A function whose name was read.
    Named(DefinedFunction),
    /// A function whose parameters are being read.
    Params(DefinedFunction),
}

/// The maximum number of statements, blocks and cases of a script. The time that the interpreter
/// needs to fold constants grows with the square of their number.
pub(crate) const MAX_STATEMENTS: usize = 4_096;

/// Returns the message for a script with too many statements, blocks and cases.
pub(crate) fn too_many_statements_message() -> String {
    format!("this is too much for a script: it may have at most {MAX_STATEMENTS} statements, blocks and cases")
}

/// Scans a script. Does not check whether the script can be compiled.
pub(crate) fn scan(engine: &Engine, text: &str) -> ScriptScan {
    let mut found = ScriptScan::default();
    let mut begun = OpenConstruct::Nothing;
    let mut braces = Braces::default();
    let mut cases = CaseReader::default();
    let mut n_statements = 0;
    let text = [text];
    let (mut tokens, control) = engine.lex(&text);
    while let Some((token, at)) = tokens.next().filter(|(token, _)| *token != Token::EOF) {
        braces.process(&token, || control.borrow_mut().is_within_text = true);
        cases.process(&token, at, &mut found.cases);
        n_statements += usize::from(matches!(token, Token::SemiColon | Token::LeftBrace | Token::DoubleArrow));
        if n_statements > MAX_STATEMENTS {
            found.too_many_at.get_or_insert(at);
        }
        if let Token::Identifier(name) = &token {
            found.words.insert(name.to_string());
        }
        begun = match (begun, token) {
            (_, Token::Const) if braces.depth == 0 => OpenConstruct::Constant,
            (_, Token::Fn) => OpenConstruct::Function,
            (OpenConstruct::Constant, Token::Identifier(name)) => {
                found.constants.push(name.to_string());
                OpenConstruct::Nothing
            }
            (OpenConstruct::Function, Token::Identifier(name)) => {
                OpenConstruct::Named(DefinedFunction { name: name.to_string(), params: Vec::new(), at })
            }
            (OpenConstruct::Named(function), Token::LeftParen) => OpenConstruct::Params(function),
            (OpenConstruct::Params(mut function), Token::Identifier(name)) => {
                function.params.push(name.to_string());
                OpenConstruct::Params(function)
            }
            (OpenConstruct::Params(function), Token::Comma) => OpenConstruct::Params(function),
            // An empty pair of brackets is one token.
            (OpenConstruct::Named(function), Token::Unit) | (OpenConstruct::Params(function), _) => {
                found.functions.push(function);
                OpenConstruct::Nothing
            }
            _ => OpenConstruct::Nothing,
        };
    }
    found.ends_in_comment = tokens.state.comment_level > 0;
    found
}
