//! The reasons why the painter cannot draw an SVG as an icon.

use thiserror::Error;
use usvg::roxmltree;

use crate::icon_limits::{MAX_ATTRIBUTES, MAX_BYTES, MAX_DEPTH, MAX_NAMESPACES, MAX_NUMBERS, MAX_SEGMENTS};

/// A reason why the painter cannot draw an SVG as an icon. The text is a sentence without a full
/// stop that calls the icon `it`.
#[derive(Debug, Error)]
pub(crate) enum IconError {
    #[error("it is larger than {} kB", MAX_BYTES >> 10)]
    TooLarge,
    #[error("it declares entities, which are not allowed in icons")]
    Entities,
    #[error("it declares more than {MAX_NAMESPACES} namespaces")]
    Namespaces,
    #[error("its document type contains declarations, which are not allowed in icons")]
    Declarations,
    #[error("one of its elements has more than {MAX_ATTRIBUTES} attributes")]
    Attributes,
    #[error("its paths have more than {MAX_NUMBERS} numbers")]
    Numbers,
    #[error("it has shapes far outside of its picture")]
    FarShapes,
    #[error("its elements are nested more than {MAX_DEPTH} deep")]
    Nesting,
    #[error("its style sheets are too long")]
    StyleSheets,
    #[error("it is too large once every `use` is expanded")]
    ExpandedUses,
    #[error("its outlines have {0} points; at most {MAX_SEGMENTS} are allowed")]
    Points(usize),
    #[error(transparent)]
    Xml(#[from] roxmltree::Error),
    #[error(transparent)]
    Svg(#[from] usvg::Error),
}
