import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { readCart, unpackCart } from '../../formats/cart.ts';
import { type Extraction, messageOf } from './extraction.ts';

/** Unpacks a CaRT, which has one file, under the name that it states. */
export async function unpackCartFile(path: string, extraction: Extraction, givenName: string): Promise<void> {
  await using handle = await open(path);
  const { size } = await handle.stat();
  try {
    const cart = await readCart({
      size,
      async read(offset, length) {
        const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, offset);
        return buffer.subarray(0, bytesRead);
      },
    });
    const name = typeof cart.header.name === 'string' ? cart.header.name : givenName.replace(/\.cart$/i, '');
    extraction.list({ name, isFolder: false, isHidden: false, size: undefined, compressed: cart.body.length });
    const { offset, length } = cart.body;
    await extraction.add(name, 'cart', async (write) => {
      if (length === 0) return;
      const body = createReadStream(path, { start: offset, end: offset + length - 1 });
      for await (const chunk of unpackCart(cart, body)) await write(chunk);
    });
  } catch (error) {
    extraction.problems.push(messageOf(error));
    extraction.isUnlisted = extraction.listing.length === 0;
  }
}
