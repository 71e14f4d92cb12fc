//! Header maps in the proxy-wasm ABI's serialisation: the number of fields, the sizes of each name and value, then names
//! and values, each with a zero byte behind it. Numbers are 32 bits, little-endian.

#[cfg(test)]
mod tests;

/// Header fields, read in place. What is cut off, or lies about its sizes, ends early.
#[derive(Debug, Clone)]
pub struct Pairs<'a> {
    sizes: &'a [u8],
    text: &'a [u8],
}

impl<'a> Pairs<'a> {
    /// The fields in `bytes`, in order; none where there are fewer sizes than announced.
    #[must_use]
    pub fn new(bytes: &'a [u8]) -> Self {
        let read = || {
            let (count, rest) = bytes.split_first_chunk()?;
            rest.split_at_checked((u32::from_le_bytes(*count) as usize).checked_mul(8)?)
        };
        let (sizes, text) = read().unwrap_or_default();
        Self { sizes, text }
    }

    fn take(&mut self, size: [u8; 4]) -> Option<&'a [u8]> {
        let (value, rest) = self.text.split_at_checked(u32::from_le_bytes(size) as usize)?;
        self.text = rest.split_first()?.1;
        Some(value)
    }
}

impl<'a> Iterator for Pairs<'a> {
    type Item = (&'a [u8], &'a [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        let (name, rest) = self.sizes.split_first_chunk()?;
        let (value, rest) = rest.split_first_chunk()?;
        self.sizes = rest;
        Some((self.take(*name)?, self.take(*value)?))
    }
}

/// Writes fields for the host.
#[must_use]
pub fn encode<'h>(fields: impl Iterator<Item = (&'h str, &'h str)> + Clone) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(512);
    bytes.extend_from_slice(&(fields.clone().count() as u32).to_le_bytes());
    for (name, value) in fields.clone() {
        bytes.extend_from_slice(&(name.len() as u32).to_le_bytes());
        bytes.extend_from_slice(&(value.len() as u32).to_le_bytes());
    }
    for text in fields.flat_map(|(name, value): (&str, &str)| [name, value]) {
        bytes.extend_from_slice(text.as_bytes());
        bytes.push(0);
    }
    bytes
}
