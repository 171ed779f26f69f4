//! Script values: arguments and results of native functions, whether the interpreter or a tree
//! calls them.

use std::sync::Arc;

use board::ZoneSet;
use rules::{SettingValue, Value};

/// A value in a script.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum ScriptValue {
    /// A value that can be stored.
    Plain(Value),
    /// A set of zones, which is cheaper than a list of them.
    Zones(ZoneSet),
    /// The variable `turn`.
    Turn,
    /// The variable `settings`.
    Settings,
    /// A value known only to the interpreter, such as a function. The text names its type in
    /// messages.
    Foreign(&'static str),
}

impl ScriptValue {
    /// The value `()`.
    pub(crate) const UNIT: ScriptValue = ScriptValue::Plain(Value::Unit);

    /// Makes a boolean.
    pub(crate) const fn truth(truth: bool) -> ScriptValue {
        ScriptValue::Plain(Value::Bool(truth))
    }

    /// Makes a number.
    pub const fn number(n: i64) -> ScriptValue {
        ScriptValue::Plain(Value::Int(n))
    }

    /// Makes a number from a count.
    pub const fn count(n: usize) -> ScriptValue {
        ScriptValue::Plain(Value::Int(n as i64))
    }

    /// Makes a list.
    pub fn list(items: Vec<Value>) -> ScriptValue {
        ScriptValue::Plain(Value::List(Arc::new(items)))
    }

    /// Converts the value to a form that can be stored. If the value cannot be stored, returns the
    /// name of its type as the error.
    pub(crate) fn into_plain(self) -> Result<Value, &'static str> {
        match self {
            ScriptValue::Plain(value) => Ok(value),
            ScriptValue::Zones(zones) => Ok(Value::list(zones.iter().map(Value::Zone))),
            ScriptValue::Turn => Err("the turn"),
            ScriptValue::Settings => Err("the settings"),
            ScriptValue::Foreign(what) => Err(what),
        }
    }

    /// Returns the name of the value's type, for messages.
    pub fn type_name(&self) -> &'static str {
        match self {
            ScriptValue::Plain(value) => value.type_name(),
            ScriptValue::Zones(_) => "a list",
            ScriptValue::Turn => "the turn",
            ScriptValue::Settings => "the settings",
            ScriptValue::Foreign(what) => what,
        }
    }
}

impl From<Value> for ScriptValue {
    #[inline]
    fn from(value: Value) -> ScriptValue {
        ScriptValue::Plain(value)
    }
}

/// Returns the value that scripts receive for a setting.
pub(crate) fn setting_value(setting: &SettingValue) -> Value {
    match setting {
        SettingValue::Bool(on) => Value::Bool(*on),
        SettingValue::Int(n) => Value::Int(*n),
        SettingValue::Text(text) => Value::text(text),
        SettingValue::Count(_, n) => Value::Int(i64::from(*n)),
    }
}
