//! Text inside other text.

#[cfg(test)]
mod tests;

/// How a text is written so that it stays one text where it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Escape {
    /// Inside of a JSON string (RFC 8259 §7), without its quotes.
    Json,
    /// As character data or an attribute's value, in HTML as in XML.
    Markup,
    /// As it is.
    Plain,
}

impl Escape {
    /// What fits a body of the media type `content_type`, parameters aside.
    pub(super) fn for_type(content_type: &str) -> Self {
        let essence = content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        match essence.as_str() {
            "application/json" | "text/json" => Self::Json,
            "text/html" | "text/xml" | "application/xml" => Self::Markup,
            other if other.ends_with("+json") => Self::Json,
            other if other.ends_with("+xml") => Self::Markup,
            _ => Self::Plain,
        }
    }

    /// Appends `text`.
    pub(super) fn push(self, out: &mut String, text: &str) {
        match self {
            Self::Plain => out.push_str(text),
            Self::Json => text.chars().for_each(|char| match char {
                '"' => out.push_str("\\\""),
                '\\' => out.push_str("\\\\"),
                '\0'..='\x1f' => out.push_str(&format!("\\u{:04x}", u32::from(char))),
                _ => out.push(char),
            }),
            Self::Markup => text.chars().for_each(|char| match char {
                '&' => out.push_str("&amp;"),
                '<' => out.push_str("&lt;"),
                '>' => out.push_str("&gt;"),
                '"' => out.push_str("&quot;"),
                '\'' => out.push_str("&#39;"),
                _ => out.push(char),
            }),
        }
    }
}

/// Appends `text` as a JSON string, with its quotes.
pub(super) fn push_json(out: &mut String, text: &str) {
    out.push('"');
    Escape::Json.push(out, text);
    out.push('"');
}
