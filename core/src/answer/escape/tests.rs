use proptest::prelude::*;

use super::*;

fn written(escape: Escape, text: &str) -> String {
    let mut out = String::new();
    escape.push(&mut out, text);
    out
}

#[test]
fn the_type_decides() {
    use Escape::{Json, Markup, Plain};
    for (content_type, escape) in [
        ("application/json", Json),
        ("Application/JSON; charset=utf-8", Json),
        ("application/problem+json", Json),
        ("application/vnd.api+json;ext=x", Json),
        ("text/html", Markup),
        ("text/html;charset=utf-8", Markup),
        ("application/xhtml+xml", Markup),
        ("application/xml", Markup),
        ("text/plain", Plain),
        ("text/plain; note=+json", Plain),
        ("application/jsonp", Plain),
        ("", Plain),
    ] {
        assert_eq!(Escape::for_type(content_type), escape, "{content_type}");
    }
}

#[test]
fn markup_stays_text() {
    assert_eq!(written(Escape::Markup, r#"<b a='1' c="2">&"#), "&lt;b a=&#39;1&#39; c=&quot;2&quot;&gt;&amp;");
    assert_eq!(written(Escape::Plain, r#"<"&\"#), r#"<"&\"#);
}

proptest! {
    #[test]
    fn a_json_string_reads_back(text in any::<String>()) {
        let mut out = String::new();
        push_json(&mut out, &text);
        prop_assert_eq!(serde_json::from_str::<String>(&out).unwrap(), text);
    }
}
