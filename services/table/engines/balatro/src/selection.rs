//! Which cards may be played or discarded together (rules: balatro 2.2).

use crate::reason;

/// Most cards of a selection.
pub const MAX_SELECTED: usize = 5;

/// Checks a selection for a play or a discard, in the document's order; `is_held` says whether a
/// card is in hand.
///
/// # Errors
/// The stable reason of the first fault.
pub fn check<T: PartialEq>(
    selected: &[T],
    is_held: impl Fn(&T) -> bool,
    forced: Option<&T>,
) -> Result<(), &'static str> {
    if selected.is_empty() {
        return Err(reason::EMPTY_SELECTION);
    }
    if selected.len() > MAX_SELECTED {
        return Err(reason::TOO_MANY_CARDS);
    }
    if has_repeats(selected) {
        return Err(reason::DUPLICATE_CARD);
    }
    if !selected.iter().all(is_held) {
        return Err(reason::CARD_NOT_IN_HAND);
    }
    if forced.is_some_and(|card| !selected.contains(card)) {
        return Err(reason::FORCED_CARD_MISSING);
    }
    Ok(())
}

/// Whether something is there twice.
pub(crate) fn has_repeats<T: PartialEq>(items: &[T]) -> bool {
    items.iter().enumerate().any(|(place, item)| items[..place].contains(item))
}
