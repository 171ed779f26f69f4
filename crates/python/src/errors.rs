//! The exceptions of `bastide.errors`, with all their details.

use std::fmt::Display;

use diagnostic::{Diagnostic, Severity};
use loader::Problems;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use rules::{Failure, Fault, NotOffered};
use serde_json::{Value, json};

use crate::plain::to_python;

/// Makes an exception of the class called `name`.
fn exception(py: Python<'_>, name: &str, arguments: &[Value]) -> PyErr {
    let made = || {
        let class = py.import("bastide.errors")?.getattr(name)?;
        let arguments: Vec<_> = arguments.iter().map(|it| to_python(py, it)).collect::<PyResult<_>>()?;
        class.call1(PyTuple::new(py, arguments)?)
    };
    made().map_or_else(|error| error, PyErr::from_value)
}

fn problem(it: &Diagnostic) -> Value {
    let severity = if it.severity == Severity::Error { "error" } else { "warning" };
    json!({
        "file": it.span.file, "line": it.span.line, "column": it.span.column, "severity": severity, "message": it.message, "help": it.help,
    })
}

/// Returns problems as a JSON array of objects.
pub fn problems_json(problems: &[Diagnostic]) -> Value {
    problems.iter().map(problem).collect()
}

/// Makes the exception for mods that cannot be loaded.
pub fn mod_error(py: Python<'_>, problems: &Problems) -> PyErr {
    exception(py, "ModError", &[json!(problems.render(false)), problems_json(problems.list())])
}

/// Makes the exception for a record that is invalid or does not fit the rules.
pub fn record_error(py: Python<'_>, problems: &[Diagnostic]) -> PyErr {
    let lines: Vec<String> = problems
        .iter()
        .filter(|it| it.severity == Severity::Error)
        .map(|it| {
            let help = it.help.as_ref().map(|help| format!(" ({help})")).unwrap_or_default();
            format!("line {}: {}{help}", it.span.line.max(1), it.message)
        })
        .collect();
    exception(py, "RecordError", &[json!(lines.join("\n")), problems_json(problems)])
}

/// Makes the exception for invalid players, settings or numbers.
pub fn setup_error(py: Python<'_>, message: impl Display) -> PyErr {
    exception(py, "SetupError", &[json!(message.to_string())])
}

/// Makes the exception for a bug in Bastide.
pub fn internal_error(py: Python<'_>, message: impl Into<String>) -> PyErr {
    exception(py, "BastideError", &[json!(message.into())])
}

fn exception_of_failure(py: Python<'_>, said: String, failure: &Failure, function: &str, mods: &[String]) -> PyErr {
    let Failure { message, file, line, column, is_panic } = failure;
    let place = [json!(file), json!(line), json!(column)];
    let rest = [json!(message), json!(function), json!(mods), json!(is_panic)];
    exception(py, "FaultError", &[vec![json!(said)], place.to_vec(), rest.to_vec()].concat())
}

/// Makes the exception for a function of a mod that failed in a game.
pub fn fault_error(py: Python<'_>, fault: &Fault) -> PyErr {
    exception_of_failure(py, fault.to_string(), &fault.failure, &fault.function, &fault.mods)
}

/// Makes the exception for a script that cannot be run at all.
pub fn failure_error(py: Python<'_>, failure: &Failure) -> PyErr {
    let Failure { message, file, line, column, .. } = failure;
    exception_of_failure(py, format!("{file}:{line}:{column}: {message}"), failure, "", &[])
}

/// Makes the exception for an answer that was not offered.
pub fn not_offered(py: Python<'_>, error: &NotOffered) -> PyErr {
    let NotOffered { answer, who, question, options, asked_by, reason } = error;
    let arguments = [
        json!(error.to_string()),
        json!(answer),
        json!(who),
        json!(question),
        json!(&**options),
        json!(asked_by.as_deref()),
        json!(reason.as_deref()),
    ];
    exception(py, "NotOfferedError", &arguments)
}
