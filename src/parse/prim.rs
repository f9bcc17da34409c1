//! Shared nom pieces of the parsers: numbers, sizes with units, quoted text, key=value, uuids.

use nom::{
    IResult, Parser,
    bytes::complete::{tag, take_until, take_while, take_while1},
    character::complete::{char, digit1, one_of, space0},
    combinator::{map_opt, opt, recognize},
    error::{Error, ErrorKind},
    sequence::preceded,
};

/// A whole number, with an optional minus.
pub fn integer(input: &str) -> IResult<&str, i64> {
    map_opt(recognize((opt(char('-')), digit1)), |text: &str| text.parse().ok()).parse(input)
}

/// A number with an optional fraction and exponent.
///
/// Its end is found byte by byte and not by nom's pieces: a memory log has millions.
pub fn number(input: &str) -> IResult<&str, f64> {
    let bytes = input.as_bytes();
    let digits = |from: usize| bytes.iter().skip(from).take_while(|byte| byte.is_ascii_digit()).count();
    let is = |at: usize, of: &[u8]| bytes.get(at).is_some_and(|byte| of.contains(byte));
    let whole = usize::from(is(0, b"-"));
    let mut end = whole + digits(whole);
    let read = end > whole;
    let fraction = if is(end, b".") { digits(end + 1) } else { 0 };
    end += if fraction > 0 { 1 + fraction } else { 0 };
    let sign = usize::from(is(end + 1, b"+-"));
    let exponent = if is(end, b"eE") { digits(end + 1 + sign) } else { 0 };
    end += if exponent > 0 { 1 + sign + exponent } else { 0 };
    match input.split_at_checked(end).filter(|_| read).and_then(|(text, rest)| Some((rest, value(text)?))) {
        Some(found) => Ok(found),
        None => Err(nom::Err::Error(Error::new(input, ErrorKind::Float))),
    }
}

/// The value of a number as it is printed. Up to fifteen digits are a whole number that a float holds exactly, and so is the
/// power of ten below it, so that their quotient is the nearest float: what the library gives in more time.
fn value(text: &str) -> Option<f64> {
    let (sign, digits) = text.strip_prefix('-').map_or((1.0, text), |digits| (-1.0, digits));
    if digits.len() > 15 {
        return text.parse().ok();
    }
    let (mut whole, mut scale, mut behind_point) = (0.0, 1.0, false);
    for byte in digits.bytes() {
        match byte {
            b'0'..=b'9' => {
                whole = whole * 10.0 + f64::from(byte - b'0');
                scale *= if behind_point { 10.0 } else { 1.0 };
            }
            b'.' => behind_point = true,
            _ => return text.parse().ok(),
        }
    }
    Some(sign * (whole / scale))
}

/// Which bytes are hexadecimal digits.
const HEX: [bool; 256] = {
    let (mut hex, mut byte) = ([false; 256], 0u8);
    while byte < 128 {
        hex[byte as usize] = byte.is_ascii_hexdigit();
        byte += 1;
    }
    hex
};

/// A kernel id: a uuid with dashes.
pub fn uuid(input: &str) -> IResult<&str, &str> {
    const DASHES: [usize; 4] = [8, 13, 18, 23];
    let fits = |id: &str| {
        // All bytes at once, and not one after the other.
        let digits = id.bytes().fold(0, |digits, byte| digits + usize::from(HEX[usize::from(byte)]));
        digits + DASHES.len() == id.len() && DASHES.iter().all(|at| id.as_bytes().get(*at) == Some(&b'-'))
    };
    match input.split_at_checked(36) {
        Some((id, rest)) if fits(id) => Ok((rest, id)),
        _ => Err(nom::Err::Error(Error::new(input, ErrorKind::HexDigit))),
    }
}

/// Everything up to a literal, which is consumed too.
pub fn until<'a>(end: &'static str) -> impl Fn(&'a str) -> IResult<&'a str, &'a str> {
    move |input| {
        let (rest, text) = take_until(end).parse(input)?;
        let (rest, _) = tag(end).parse(rest)?;
        Ok((rest, text))
    }
}

/// Skips to just behind a literal.
pub fn after<'a>(mark: &'static str) -> impl Fn(&'a str) -> IResult<&'a str, &'a str> {
    move |input| until(mark)(input)
}

/// A run of characters that are not blank.
pub fn word(input: &str) -> IResult<&str, &str> {
    take_while1(|c: char| !c.is_whitespace()).parse(input)
}

/// Text between two quotes of the same kind, without escapes.
pub fn quoted(input: &str) -> IResult<&str, &str> {
    let (rest, quote) = one_of("'\"`").parse(input)?;
    let (rest, text) = take_while(|c| c != quote).parse(rest)?;
    let (rest, _) = char(quote).parse(rest)?;
    Ok((rest, text))
}

/// A size with its unit, in bytes: `7.81GB`, `512.00 MiB`, `409600kB`, `20 G`.
///
/// Programs disagree on what a unit means; `binary` says whether `GB` of this program is 2^30.
pub fn size(binary: bool) -> impl Fn(&str) -> IResult<&str, i64> {
    move |input| {
        let (rest, value) = number(input)?;
        let (rest, unit) = preceded(space0, take_while(|c: char| c.is_ascii_alphabetic())).parse(rest)?;
        match unit_bytes(unit, binary) {
            Some(factor) => Ok((rest, rounded(value * factor))),
            None => Err(nom::Err::Error(Error::new(input, ErrorKind::Alpha))),
        }
    }
}

/// How many bytes a unit stands for; `None` for a word that is no unit.
pub fn unit_bytes(unit: &str, binary: bool) -> Option<f64> {
    let decimal: f64 = if binary { 1024.0 } else { 1000.0 };
    let power = match unit.chars().next().map(|c| c.to_ascii_lowercase()) {
        Some('b') => 0,
        Some('k') => 1,
        Some('m') => 2,
        Some('g') => 3,
        Some('t') => 4,
        _ => return None,
    };
    let rest = unit.get(1..).unwrap_or_default();
    let is = |words: &[&str]| words.iter().any(|word| word.eq_ignore_ascii_case(rest));
    match power {
        0 => is(&["", "ytes", "yte"]).then_some(1.0),
        _ if is(&["ib", "i"]) => Some(1024f64.powi(power)),
        _ if is(&["", "b"]) => Some(decimal.powi(power)),
        _ => None,
    }
}

/// A size as a whole number of bytes.
#[expect(clippy::cast_possible_truncation, reason = "log figures are far below 2^63, and the cast saturates")]
pub fn rounded(value: f64) -> i64 {
    value.round() as i64
}

/// The value of `key=value` anywhere in a text; the value ends at a blank, comma or closing bracket.
pub fn value_of<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    let mut from = 0;
    while let Some(found) = text.get(from..)?.find(key) {
        let start = from + found;
        let end = start + key.len();
        let clean_start =
            text.get(..start)?.chars().next_back().is_none_or(|c| !c.is_alphanumeric() && c != '_');
        if clean_start && text.get(end..)?.starts_with('=') {
            let value = text.get(end + 1..)?;
            let stop = value.find(|c: char| c.is_whitespace() || ",)]}".contains(c)).unwrap_or(value.len());
            return value.get(..stop);
        }
        from = end;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use nom::bytes::complete::take_while_m_n;

    /// A number by nom's pieces.
    fn plain(input: &str) -> IResult<&str, f64> {
        let exponent = (one_of("eE"), opt(one_of("+-")), digit1);
        map_opt(recognize((opt(char('-')), digit1, opt((char('.'), digit1)), opt(exponent))), |text: &str| {
            text.parse().ok()
        })
        .parse(input)
    }

    proptest::proptest! {
        #[test]
        fn a_number_is_what_its_pieces_say(text in "-?[0-9]{0,3}[.]?[0-9]{0,2}[eE]?[+-]?[0-9é]{0,2}[ a]?") {
            proptest::prop_assert_eq!(number(&text).ok(), plain(&text).ok());
        }

        #[test]
        fn a_value_is_the_nearest_float(text in "-?[0-9]{1,9}([.][0-9]{1,9})?") {
            let bits = |value: Option<f64>| value.map(f64::to_bits);
            proptest::prop_assert_eq!(bits(value(&text)), bits(text.parse().ok()));
        }

        #[test]
        fn a_uuid_is_what_its_pieces_say(text in "[0-9a-fgA-F]{7,8}-[0-9a-f]{4}-?[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12,13}[xé]?") {
            let hex = |count| take_while_m_n(count, count, |c: char| c.is_ascii_hexdigit());
            let pieces = (hex(8), char('-'), hex(4), char('-'), hex(4), char('-'), hex(4), char('-'), hex(12));
            let plain: IResult<&str, &str> = recognize(pieces).parse(&text);
            proptest::prop_assert_eq!(uuid(&text).ok(), plain.ok());
        }
    }
}
