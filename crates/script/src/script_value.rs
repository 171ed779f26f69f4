//! Values as scripts hold them: what native functions take and give, whether the interpreter calls them or a lowered function.

use std::sync::Arc;

use board::ZoneSet;
use rules::{SettingValue, Value};

/// A value that a script holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum ScriptValue {
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

impl ScriptValue {
    /// Nothing.
    pub const UNIT: ScriptValue = ScriptValue::Plain(Value::Unit);

    /// A truth.
    pub const fn truth(truth: bool) -> ScriptValue {
        ScriptValue::Plain(Value::Bool(truth))
    }

    /// A number.
    pub const fn number(n: i64) -> ScriptValue {
        ScriptValue::Plain(Value::Int(n))
    }

    /// A number of things.
    pub const fn count(n: usize) -> ScriptValue {
        ScriptValue::Plain(Value::Int(n as i64))
    }

    /// A list.
    pub fn list(items: Vec<Value>) -> ScriptValue {
        ScriptValue::Plain(Value::List(Arc::new(items)))
    }

    /// The value as it can be kept. What cannot be kept is refused by saying what it is.
    pub fn into_plain(self) -> Result<Value, &'static str> {
        match self {
            ScriptValue::Plain(value) => Ok(value),
            ScriptValue::Zones(zones) => Ok(Value::list(zones.iter().map(Value::Zone))),
            ScriptValue::Turn => Err("the turn"),
            ScriptValue::Settings => Err("the settings"),
            ScriptValue::Foreign(what) => Err(what),
        }
    }

    /// What sort of value it is, for messages.
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

/// A setting as scripts see it.
pub(crate) fn setting_value(setting: &SettingValue) -> Value {
    match setting {
        SettingValue::Bool(on) => Value::Bool(*on),
        SettingValue::Int(n) => Value::Int(*n),
        SettingValue::Text(text) => Value::text(text),
    }
}
