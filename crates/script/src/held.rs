//! Values as scripts hold them: what native functions take and give, whether the interpreter calls them or a lowered function.

use std::sync::Arc;

use board::ZoneSet;
use rules::{SettingValue, Value};

/// A value that a script holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Held {
    /// One that can be kept.
    Plain(Value),
    /// Many zones as one value, which is cheaper than a list of them.
    Zones(ZoneSet),
    /// What `turn` stands for.
    Turn,
    /// What `settings` stands for.
    Settings,
    /// What only the interpreter knows, such as a function: what it is, for messages.
    Foreign(&'static str),
}

impl Held {
    /// Nothing.
    pub const UNIT: Held = Held::Plain(Value::Unit);

    /// A truth.
    pub const fn truth(truth: bool) -> Held {
        Held::Plain(Value::Bool(truth))
    }

    /// A number.
    pub const fn number(n: i64) -> Held {
        Held::Plain(Value::Int(n))
    }

    /// A number of things.
    pub const fn count(n: usize) -> Held {
        Held::Plain(Value::Int(n as i64))
    }

    /// A list.
    pub fn list(items: Vec<Value>) -> Held {
        Held::Plain(Value::List(Arc::new(items)))
    }

    /// The value as it can be kept. What cannot be kept is refused by saying what it is.
    pub fn into_plain(self) -> Result<Value, &'static str> {
        match self {
            Held::Plain(value) => Ok(value),
            Held::Zones(zones) => Ok(Value::list(zones.iter().map(Value::Zone))),
            Held::Turn | Held::Settings => Err("a value of this sort"),
            Held::Foreign(what) => Err(what),
        }
    }

    /// What sort of value it is, for messages.
    pub fn type_name(&self) -> &'static str {
        match self {
            Held::Plain(value) => value.type_name(),
            Held::Zones(_) => "a list",
            Held::Turn | Held::Settings => "a value of this sort",
            Held::Foreign(what) => what,
        }
    }
}

impl From<Value> for Held {
    #[inline]
    fn from(value: Value) -> Held {
        Held::Plain(value)
    }
}

/// A setting as scripts see it.
pub(crate) fn setting_value(setting: &SettingValue) -> Value {
    match setting {
        SettingValue::Bool(on) => Value::Bool(*on),
        SettingValue::Int(n) => Value::Int(*n),
        SettingValue::Text(text) => Value::text(text),
    }
}
