import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { unrestricted } from '../../datastore/port/read-access.ts';
import { archivedFileDocument } from '../../documents/kinds/analysis/archived.ts';
import { openTestFiles } from '../../testing/analysis/open-test-files.ts';
import { packCart } from '../formats/cart.ts';
import type { AnalysisFiles } from './analysis-files.ts';

const ACCESS = unrestricted('a test');
const SOON = '2030-01-01T00:00:00.000000Z';
const LATER = '2031-01-01T00:00:00.000000Z';

describe('files', () => {
  let opened: Awaited<ReturnType<typeof openTestFiles>>;
  let files: AnalysisFiles;
  let number = 0;
  /** Bytes that no other test has. */
  let bytes: Buffer;
  before(async () => {
    opened = await openTestFiles();
    files = opened.files;
  });
  after(() => opened.close());
  beforeEach(() => {
    number += 1;
    bytes = Buffer.from(`nothing of note ${number}\n`.repeat(20));
  });
  const record = (sha256: string) => opened.collection.get(sha256, ACCESS);
  const save = async (classification: string, expiry?: string, flags: object = {}) => {
    const info = await files.describe(await files.receive(bytes), { fuzzy: false });
    return files.saveOrFreshen(info, { classification, expiry, ...flags });
  };

  it('are hashed, identified and digested', async () => {
    const received = await files.receive(Buffer.from('EVIL marker in a member\nscore=300\n'));
    assert.deepEqual(await files.describe(received, { fuzzy: true, withCharset: true }), {
      ascii: 'EVIL marker in a member.score=300.',
      hex: '4556494c206d61726b657220696e2061206d656d6265720a73636f72653d3330300a',
      magic: 'ASCII text',
      mime: 'text/plain; charset=us-ascii',
      type: 'text/plain',
      md5: 'b3b6a2db998d67de0a0f77b8b1edc6df',
      sha1: '5bfc0a9ab8a8a991f8c5bea955ded6ba7b755d09',
      sha256: '34c1a06c8407e2cf72b7b1fd536f03a1dc163b350c21b126b700364a08f978b4',
      size: 34,
      entropy: 4.065260410308838,
      ssdeep: '3:oG8+yA6mKXA7n:oGd69En',
    });
  });

  it('of any size give the same digests at once and through the thread', async () => {
    const large = Buffer.from(Array.from({ length: 300_000 }, (_, index) => (index * 7919) >> 3));
    async function* chunks() {
      for (let at = 0; at < large.length; at += 7777) yield large.subarray(at, at + 7777);
    }
    const info = await files.describe(await files.receive(chunks()), { fuzzy: true });
    assert.equal(info.size, large.length);
    assert.deepEqual(await files.fuzzyDigests({ sha256: info.sha256, size: info.size }), {
      entropy: info.entropy,
      ssdeep: info.ssdeep,
      tlsh: info.tlsh,
    });
  });

  it('are identified while they are stored, when they are small and described next', async () => {
    const cases = [
      [Buffer.alloc(0), true],
      [bytes, true],
      [Buffer.alloc(65_536, '#!/bin/sh\necho golden\n'), true],
      [Buffer.alloc(65_537, '#!/bin/sh\necho golden\n'), false],
    ] as const;
    for (const [content, isEarly] of cases) {
      const received = await files.receive(content, { isDescribedNext: true });
      assert.equal(received.identity !== undefined, isEarly, `${content.length} bytes`);
      const early = await files.describe(received, { fuzzy: false });
      const late = await files.describe(await files.receive(content), { fuzzy: false });
      assert.deepEqual(early, late);
    }
    const refused = files.receive(bytes, { isDescribedNext: true, limit: 5 });
    await assert.rejects(refused, { code: 'file_too_large' });
  });

  it('are saved with their first classification, expiry and count', async () => {
    const saved = await save('TLP:G', SOON);
    assert.equal(saved.classification, 'TLP:GREEN');
    assert.equal(saved.expiry_ts, SOON);
    assert.equal(saved.seen.count, 1);
    assert.equal(saved.seen.first, saved.seen.last);
  });

  it('keep the lower classification, also when a higher one comes later', async () => {
    const { sha256 } = await save('TLP:A', SOON);
    assert.equal((await save('TLP:G', SOON)).classification, 'TLP:GREEN');
    assert.equal((await save('TLP:A', SOON)).classification, 'TLP:GREEN');
    const stored = await record(sha256);
    assert.equal(stored?.seen.count, 3);
    assert.equal((stored as unknown as { __access_lvl__: number }).__access_lvl__, 110);
  });

  it('keep the later expiry, and never expire once they never do', async () => {
    await save('TLP:C', LATER);
    assert.equal((await save('TLP:C', SOON)).expiry_ts, LATER);
    bytes = Buffer.from(`another ${number}`);
    await save('TLP:C', SOON);
    assert.equal((await save('TLP:C', LATER)).expiry_ts, LATER);
    bytes = Buffer.from(`for ever ${number}`);
    await save('TLP:C');
    assert.equal((await save('TLP:C', LATER)).expiry_ts, undefined);
  });

  it('never expire when a lower classification comes without expiry', async () => {
    await save('TLP:A', SOON);
    assert.equal((await save('TLP:A')).expiry_ts, SOON);
    assert.equal((await save('TLP:G')).expiry_ts, undefined);
  });

  it('stay pictures of sections and supplementary files', async () => {
    await save('TLP:A', SOON, { isSectionImage: true });
    const changed = await save('TLP:A', SOON, { isSupplementary: true });
    assert.deepEqual([changed.is_section_image, changed.is_supplementary], [true, true]);
    const lowered = await save('TLP:C', SOON);
    assert.deepEqual([lowered.is_section_image, lowered.is_supplementary], [true, true]);
  });

  it('count every one of concurrent saves', async () => {
    const saved = await Promise.all(Array.from({ length: 8 }, () => save('TLP:C', SOON)));
    assert.equal((await record(saved[0]?.sha256 ?? ''))?.seen.count, 8);
  });

  it('are renewed where document and bytes are there', async () => {
    const { sha256 } = await save('TLP:C', SOON);
    assert.equal(await files.freshen(sha256, { classification: 'TLP:C', expiry: LATER }), true);
    assert.equal((await record(sha256))?.expiry_ts, LATER);
    assert.equal((await record(sha256))?.seen.count, 2);
    await opened.storage.delete(sha256);
    assert.equal(await files.freshen(sha256, { classification: 'TLP:C', expiry: LATER }), false);
    assert.equal(await files.freshen('0'.repeat(64), { classification: 'TLP:C', expiry: LATER }), false);
  });

  it('get digests later, and keep them when they are sent again', async () => {
    const { sha256, size, ssdeep } = await save('TLP:C', SOON);
    assert.equal(ssdeep, undefined);
    await files.addFuzzyDigests({ sha256, size: Number(size) });
    const again = await save('TLP:C', SOON);
    assert.match(again.ssdeep, /^\d+:\S+:\S+$/);
    assert.equal(again.entropy, (await record(sha256))?.entropy);
    await files.addFuzzyDigests({ ...(await files.receive(Buffer.from(`unsaved ${number}`))) });
  });

  it('leave nothing behind when they are refused', async () => {
    const received = await files.receive(bytes);
    await files.discard(received);
    assert.equal(await opened.storage.stat(received.sha256), undefined);
    await assert.rejects(files.receive(bytes, { limit: 10 }), { code: 'file_too_large' });
    await assert.rejects(files.receive(bytes, { expected: '0'.repeat(64) }), { code: 'file_hash_mismatch' });
    assert.equal(await opened.storage.stat(received.sha256), undefined);
  });

  it('leave nothing behind when all who had them at the same time give them up, in any order', async () => {
    for (const order of [
      [0, 1, 2],
      [2, 1, 0],
      [1, 2, 0],
    ]) {
      const received = [await files.receive(bytes), await files.receive(bytes), await files.receive(bytes)];
      for (const [given, index] of order.entries()) {
        assert.notEqual(
          await opened.storage.stat(received[0]?.sha256 ?? ''),
          undefined,
          `${order}, ${given} gave it up`,
        );
        await files.discard(received[index] as (typeof received)[number]);
      }
      assert.equal(await opened.storage.stat(received[0]?.sha256 ?? ''), undefined, String(order));
    }
  });

  it('stay when they are refused while others have them', async () => {
    const [first, second] = [await files.receive(bytes), await files.receive(bytes)];
    await files.discard(first);
    assert.notEqual(await opened.storage.stat(first.sha256), undefined);
    await files.saveOrFreshen(await files.describe(second, { fuzzy: false }), {
      classification: 'TLP:C',
      expiry: undefined,
    });
    await files.discard(await files.receive(bytes));
    assert.notEqual(await opened.storage.stat(first.sha256), undefined);
  });

  it('stay while the archive needs them, also when it is switched off', async () => {
    const { sha256 } = await save('TLP:C');
    const document = (await record(sha256)) ?? assert.fail('it was saved');
    const archive = opened.datastore.collection(archivedFileDocument);
    await archive.save(sha256, document);
    await opened.collection.delete(sha256);
    const remove = async () => {
      const content = await files.receive(bytes);
      await files.discard(content);
      return (await opened.storage.stat(sha256)) === undefined;
    };
    assert.equal(await remove(), false);
    await archive.delete(sha256);
    assert.equal(await remove(), true);
  });

  it('are not saved when their bytes have gone meanwhile', async () => {
    const info = await files.describe(await files.receive(bytes), { fuzzy: false });
    await opened.storage.delete(info.sha256);
    await assert.rejects(files.saveOrFreshen(info, { classification: 'TLP:C', expiry: undefined }), {
      code: 'file_bytes_missing',
    });
    assert.equal(await record(info.sha256), undefined);
  });

  it('come out of a CaRT with what its header says', async () => {
    const cart = await files.receive(packCart([bytes] as unknown as AsyncIterable<Buffer>, { name: 'a.txt' }));
    assert.equal((await files.describe(cart, { fuzzy: false })).type, 'archive/cart');
    const unpacked = await files.unpackCart(cart);
    assert.deepEqual(unpacked?.header, { name: 'a.txt' });
    assert.equal(unpacked?.received.size, bytes.length);
    await assert.rejects(files.unpackCart(cart, { limit: 10 }), { code: 'file_too_large' });
  });

  it('stay a CaRT that states its kind, or that is not one', async () => {
    const header = { al: { type: 'archive/bundle/al' } };
    const bundle = await files.receive(packCart([bytes] as unknown as AsyncIterable<Buffer>, header));
    assert.equal(await files.unpackCart(bundle), undefined);
    assert.equal((await files.describe(bundle, { fuzzy: false })).type, 'archive/bundle/al');
    assert.equal(await files.unpackCart(await files.receive(bytes)), undefined);
    const broken = await files.receive(Buffer.concat([Buffer.from('CART\x01'), Buffer.alloc(100)]));
    assert.equal(await files.unpackCart(broken), undefined);
    assert.equal((await files.describe(broken, { fuzzy: false })).type, 'corrupted/cart');
  });
});
