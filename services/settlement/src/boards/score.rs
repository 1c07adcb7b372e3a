//! Scores of any size.

/// A score as a decimal number, which may be far beyond 64 bits: `120`, `3.5`, `1.2e34`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Score {
    /// Sorts as text (byte by byte) as the scores sort as numbers: the number of digits before the
    /// point, five digits long, and then the digits.
    pub standing: String,
}

/// The largest number of digits before the point.
const MOST_DIGITS: usize = 99_999;

impl Score {
    /// Reads a score that is not negative; none when it is not a number of this form.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let (mantissa, exponent) = match text.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, exponent.trim_start_matches('+')),
            None => (text, "0"),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits_only = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        if whole.is_empty() || !digits_only(whole) || !digits_only(fraction) {
            return None;
        }
        let exponent: usize =
            if digits_only(exponent) { exponent.parse().ok()? } else { return None };
        let written = format!("{whole}{fraction}");
        let digits = written.trim_start_matches('0');
        let leading_zeros = written.len() - digits.len();
        let significant = digits.trim_end_matches('0');
        // Below one, scores would need negative magnitudes; games have none.
        let magnitude = (whole.len().checked_add(exponent)?).saturating_sub(leading_zeros);
        if magnitude > MOST_DIGITS {
            return None;
        }
        let magnitude = if significant.is_empty() { 0 } else { magnitude };
        Some(Self { standing: format!("{magnitude:05}{significant}") })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn scores_sort_as_numbers() {
        let rising = [
            "0",
            "1",
            "2.5",
            "9",
            "10",
            "11",
            "99",
            "100",
            "1000000",
            "1.5e9",
            "1.6e9",
            "9e18",
            "18446744073709551616",
            "1e21",
            "1.7976931348623157e308",
            "1e309",
        ];
        let standings = rising.map(|text| Score::read(text).unwrap().standing);
        assert!(standings.is_sorted_by(|a, b| a < b), "{standings:?}");
    }

    #[test]
    fn different_ways_to_write_a_score_are_one_score() {
        for same in ["1200", "01200", "1200.0", "1.2e3", "12E+2", "0.12e4", "1200e0"] {
            assert_eq!(Score::read(same), Score::read("1200"), "{same}");
        }
        assert_eq!(Score::read("000"), Score::read("0"));
    }

    #[test]
    fn what_is_not_a_score_is_not_read() {
        for wrong in ["", "-1", "x", "1e", "1e-3", "1.2.3", ".5", "1e99999999999999999999", "NaN"] {
            assert_eq!(Score::read(wrong), None, "{wrong}");
        }
    }
}
