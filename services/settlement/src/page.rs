//! Pages of lists, and the opaque tokens that lead from one to the next.

use crate::Error;
use crate::money::Digest;

/// First byte of every token; another one makes older tokens invalid.
const VERSION: u8 = 1;
/// Bytes of a token that tie it to its query.
const CHECK: usize = 8;
/// Bytes of a token.
const TOKEN: usize = 1 + 8 + CHECK;

/// A page that somebody asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PageRequest {
    /// How many rows at most; 0: the list's usual number.
    pub size: u32,
    /// Empty for the first page.
    pub token: String,
}

/// One page of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page<T> {
    /// The rows.
    pub rows: Vec<T>,
    /// Empty on the last page.
    pub next: String,
}

/// Bounds and purpose of a list: a token is good only for the query that it came from.
#[derive(Clone, Debug)]
pub(crate) struct Listing {
    scope: String,
    usual: u32,
    most: u32,
}

impl Listing {
    /// A list whose query is named by `scope`, with the most and the usual number of rows.
    pub(crate) const fn new(scope: String, (most, usual): (u32, u32)) -> Self {
        Self { scope, usual, most }
    }

    /// How many rows to show.
    pub(crate) const fn size(&self, request: &PageRequest) -> Result<u32, Error> {
        match request.size {
            0 => Ok(self.usual),
            size if size > self.most => Err(Error::PageTooLarge { most: self.most }),
            size => Ok(size),
        }
    }

    /// Where to go on, or `start` on the first page.
    pub(crate) fn position(&self, request: &PageRequest, start: u64) -> Result<u64, Error> {
        if request.token.is_empty() {
            return Ok(start);
        }
        let mut token = [0; TOKEN];
        hex::decode_to_slice(&request.token, &mut token).map_err(|_| Error::BadPageToken)?;
        let (body, check) = token.split_at(TOKEN - CHECK);
        let [VERSION, position @ ..] = body else { return Err(Error::BadPageToken) };
        let position: [u8; 8] = position.try_into().map_err(|_| Error::BadPageToken)?;
        let position = u64::from_be_bytes(position);
        if check == self.check(position) { Ok(position) } else { Err(Error::BadPageToken) }
    }

    /// One page of rows that were fetched with a limit of one more than `size`.
    pub(crate) fn page<T>(
        &self,
        mut rows: Vec<T>,
        size: u32,
        position: impl FnOnce(&T) -> u64,
    ) -> Page<T> {
        let more = rows.len() > size as usize;
        rows.truncate(size as usize);
        let next = match rows.last() {
            Some(last) if more => self.token(position(last)),
            _ => String::new(),
        };
        Page { rows, next }
    }

    fn token(&self, position: u64) -> String {
        let mut token = vec![VERSION];
        token.extend(position.to_be_bytes());
        token.extend(self.check(position));
        hex::encode(token)
    }

    fn check(&self, position: u64) -> [u8; CHECK] {
        let digest = Digest::of(format!("{}/{position}", self.scope).as_bytes());
        let mut check = [0; CHECK];
        check.copy_from_slice(digest.0.split_at(CHECK).0);
        check
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn listing(scope: &str) -> Listing {
        Listing::new(scope.to_owned(), (3, 2))
    }

    fn after(token: &str) -> PageRequest {
        PageRequest { size: 0, token: token.to_owned() }
    }

    #[test]
    fn a_token_leads_back_to_its_position() {
        let list = listing("entries/a");
        let page = list.page(vec![9_u64, 8, 7], 2, |row| *row);
        assert_eq!(page.rows, [9, 8]);
        assert_eq!(list.position(&after(&page.next), 0), Ok(8));
    }

    #[test]
    fn the_last_page_has_no_token() {
        let page = listing("entries/a").page(vec![9_u64, 8], 2, |row| *row);
        assert_eq!(page.next, "");
    }

    #[test]
    fn a_token_of_another_query_or_a_damaged_one_is_refused() {
        let list = listing("entries/a");
        let token = list.token(8);
        assert_eq!(listing("entries/b").position(&after(&token), 0), Err(Error::BadPageToken));
        for index in 0..token.len() {
            let mut damaged = token.clone().into_bytes();
            damaged[index] = if damaged[index] == b'0' { b'1' } else { b'0' };
            let damaged = String::from_utf8(damaged).unwrap();
            assert_eq!(list.position(&after(&damaged), 0), Err(Error::BadPageToken), "{index}");
        }
        for wrong in ["x", "00", "é", &token[2..]] {
            assert_eq!(list.position(&after(wrong), 0), Err(Error::BadPageToken));
        }
    }

    #[test]
    fn a_page_has_a_bounded_size() {
        let list = listing("entries/a");
        let size = |size| list.size(&PageRequest { size, token: String::new() });
        assert_eq!(size(0), Ok(2));
        assert_eq!(size(3), Ok(3));
        assert_eq!(size(4), Err(Error::PageTooLarge { most: 3 }));
    }
}
