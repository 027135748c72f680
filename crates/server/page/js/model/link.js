// Compresses texts for URLs.

/** @param {Uint8Array<ArrayBuffer>} bytes @param {CompressionStream | DecompressionStream} transform */
async function pipeBytes(bytes, transform) {
  const stream = new Blob([bytes]).stream().pipeThrough(transform);
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** @param {string} text */
export async function encodeForUrl(text) {
  const bytes = await pipeBytes(new TextEncoder().encode(text), new CompressionStream('deflate-raw'));
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** @param {string} encoded */
export async function decodeFromUrl(encoded) {
  const binary = atob(encoded.replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
  return new TextDecoder().decode(await pipeBytes(bytes, new DecompressionStream('deflate-raw')));
}
