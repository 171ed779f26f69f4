//! Results of native functions: types that convert and document themselves.

use std::marker::PhantomData;
use std::sync::Arc;

use diagnostic::ExpectOrDefault;
use rules::Value;

use crate::handles::Handle;
use crate::script_value::ScriptValue;

/// A type of result of native functions.
pub(crate) trait Reply: 'static {
    /// The name of the type in the definition files that editors for Rhai read.
    const RHAI_TYPE: &'static str;

    /// Returns the name of the type in the documentation.
    fn name() -> String;
    /// Converts the result for the script.
    fn reply(self) -> ScriptValue;
}

macro_rules! reply {
    ($type:ty, $name:literal, $rhai:literal, |$it:ident| $reply:expr) => {
        impl Reply for $type {
            const RHAI_TYPE: &'static str = $rhai;

            fn name() -> String {
                $name.to_owned()
            }

            #[inline]
            fn reply(self) -> ScriptValue {
                let $it = self;
                $reply
            }
        }
    };
}

reply!((), "", "()", |_it| ScriptValue::UNIT);
reply!(bool, "truth value", "bool", |it| ScriptValue::truth(it));
reply!(i64, "number", "int", |it| ScriptValue::number(it));
reply!(u32, "number", "int", |it| ScriptValue::number(i64::from(it)));
reply!(usize, "number", "int", |it| ScriptValue::count(it));
reply!(Arc<str>, "text", "String", |it| Value::Text(it).into());
reply!(Value, "value", "?", |it| it.into());

impl<H: Handle> Reply for H {
    const RHAI_TYPE: &'static str = <H as Handle>::TYPE;

    fn name() -> String {
        <H as Handle>::NAME.to_owned()
    }

    #[inline]
    fn reply(self) -> ScriptValue {
        self.into_script_value()
    }
}

impl<R: Reply> Reply for Option<R> {
    const RHAI_TYPE: &'static str = "?";

    fn name() -> String {
        format!("{} or ()", R::name())
    }

    #[inline]
    fn reply(self) -> ScriptValue {
        self.map_or(ScriptValue::UNIT, R::reply)
    }
}

impl<R: Reply> Reply for Vec<R> {
    const RHAI_TYPE: &'static str = "Array";

    fn name() -> String {
        match R::name().as_str() {
            "value" => "list".to_owned(),
            "truth value" => "list of truth values".to_owned(),
            name if name.starts_with("list of ") => name.replacen("list of ", "list of lists of ", 1),
            name => format!("list of {name}s"),
        }
    }

    fn reply(self) -> ScriptValue {
        self.into_iter().collect::<ReplyList<R>>().reply()
    }
}

/// A list of results, built directly in its final form instead of from a temporary list.
pub(crate) struct ReplyList<R>(Vec<Value>, PhantomData<R>);

impl<R> ReplyList<R> {
    /// Makes an empty list.
    pub const fn empty() -> ReplyList<R> {
        ReplyList(Vec::new(), PhantomData)
    }
}

impl<R: Reply> FromIterator<R> for ReplyList<R> {
    fn from_iter<T: IntoIterator<Item = R>>(items: T) -> ReplyList<R> {
        let items = items
            .into_iter()
            .map(|it| it.reply().into_plain().expect_or_default("lists contain only values that can be stored"));
        ReplyList(items.collect(), PhantomData)
    }
}

impl<R: Reply> Reply for ReplyList<R> {
    const RHAI_TYPE: &'static str = Vec::<R>::RHAI_TYPE;

    fn name() -> String {
        Vec::<R>::name()
    }

    fn reply(self) -> ScriptValue {
        ScriptValue::list(self.0)
    }
}
