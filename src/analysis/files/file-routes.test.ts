import assert from 'node:assert/strict';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { submissionDocument } from '../../documents/kinds/analysis/submission.ts';
import { installationDocument } from '../../documents/kinds/installation.ts';
import { readDocument } from '../../documents/schema/read-document.ts';
import { startTestProgram, type TestProgram, type TestRequest } from '../../testing/start-test-program.ts';
import { sourceOfBytes } from '../formats/byte-source.ts';
import { packCart, readCart, unpackCart } from '../formats/cart.ts';
import { readZipMemberNames } from '../formats/zip-members.ts';
import { SystemValues } from '../system/system-values.ts';
import { openAnalysisFiles } from './open-analysis-files.ts';

const ADMINISTRATOR = { 'x-user': 'admin', 'x-apikey': 'devkey:admin' };
const ABSENT = '0'.repeat(64);
const VIEW = Buffer.from(
  'R29sZGVuIHZpZXcAAX/CgMO/IHRleHQgd2l0aCDDvG7Dr2NvZGUgYW5kIGEgVwBpAGQAZQBzAHQAcgAgZW5kDQo=',
  'base64',
);

describe('the routes of files', () => {
  let program: TestProgram;
  let opened: ReturnType<typeof openAnalysisFiles>;
  let view: string;
  before(async () => {
    program = await startTestProgram();
    const { datastore, coordination, files: storage, classification } = program.foundation;
    const values = new SystemValues({ facts: datastore.collection(installationDocument) });
    const log = { warn: () => undefined };
    opened = openAnalysisFiles({ datastore, coordination, storage, classification, values, log });
    view = await add(VIEW);
  });
  after(async () => {
    await opened.close();
    await program.close();
  });

  async function add(content: Buffer | AsyncIterable<Uint8Array>, options: object = {}): Promise<string> {
    const info = await opened.files.describe(await opened.files.receive(content), { fuzzy: true });
    await opened.files.saveOrFreshen(info, { classification: 'UNRESTRICTED', expiry: undefined, ...options });
    return info.sha256;
  }
  const call = (path: string, request: TestRequest = {}) =>
    program.request(`/api/v4/file/${path}`, { headers: ADMINISTRATOR, ...request, service: 'analysis' });
  const reply = async (path: string) => {
    const { status, json } = await call(path);
    return [status, json.api_error_message, json.api_response];
  };
  const bytes = async (path: string) => {
    const answer = await fetch(`${program.urls.analysis}/api/v4/file/${path}`, { headers: ADMINISTRATOR });
    assert.equal(answer.status, 200, path);
    return Buffer.from(await answer.arrayBuffer());
  };

  it('show what is known of a file', async () => {
    const [status, , info] = await reply(`info/${view}/`);
    assert.equal(status, 200);
    assert.equal(info.type, 'unknown');
    assert.equal(info.magic, 'data');
    assert.equal(info.ascii, 'Golden view....... text with ..n..code and a W.i.d.e.s.t.r. end.');
    assert.deepEqual([info.uri_info, info.archive_ts, info.expiry_ts], [null, null, null]);
    assert.deepEqual(await reply(`info/${ABSENT}/`), [404, 'This file does not exists.', {}]);
  });

  it('show a file as text, digits and strings', async () => {
    const shown = async (path: string) => (await reply(path))[2];
    assert.deepEqual(await shown(`ascii/${view}/`), {
      content: 'Golden view....... text with ..n..code and a W.i.d.e.s.t.r. end\r\n',
      truncated: false,
    });
    assert.match(
      (await shown(`hex/${view}/?length=8`)).content,
      /^00000008: {2}69 65 77 00 01 7f c2 80 {3}iew\.\.\.\.\.$/m,
    );
    assert.match((await shown(`hex/${view}/?bytes_only`)).content, /^47 6f 6c .* 0d 0a$/);
    assert.equal((await shown(`strings/${view}/`)).content, 'Golden view\n text with \ncode and a W');
    assert.equal((await shown(`strings/${view}/?len=11`)).content, 'Golden view\n text with \ncode and a W');
    assert.equal((await shown(`strings/${view}/?len=12`)).content, 'code and a W');
    assert.equal((await shown(`strings/${view}/?len=x`)).content, '');
    const wide = await add(Buffer.from('ab\u0001wide string', 'utf16le'));
    assert.equal((await shown(`strings/${wide}/`)).content, 'wide string');
  });

  it('show the first MiB and say so', async () => {
    const large = await add(Buffer.alloc(1_500_000, 'abcdefg'));
    for (const [path, length] of [
      ['ascii', 1 << 20],
      ['hex', (1 << 16) * 78 - 1],
      ['strings', 1 << 20],
    ] as const) {
      const [status, , { content, truncated }] = await reply(`${path}/${large}/`);
      assert.deepEqual([status, content.length, truncated], [200, length, true], path);
    }
  });

  it('refuse lines without bytes, and what is not a number', async () => {
    for (const length of ['0', '-1', 'x', '1025', '1.5']) {
      assert.equal((await reply(`hex/${view}/?length=${length}`))[0], 400, length);
    }
  });

  it('answer 404 where there is no file', async () => {
    for (const path of ['ascii', 'hex', 'strings', 'image', 'download']) {
      for (const sha256 of [ABSENT, 'xyz', "a'b"]) {
        const expected = [404, 'The file was not found in the system.', {}];
        assert.deepEqual(await reply(`${path}/${encodeURIComponent(sha256)}/`), expected, `${path} ${sha256}`);
      }
    }
  });

  it('give pictures of sections alone as data URIs', async () => {
    const png = Buffer.concat([Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), Buffer.alloc(40, 1)]);
    const picture = await add(png, { isSectionImage: true });
    assert.equal((await reply(`image/${picture}/`))[2], `data:image/png;base64,${png.toString('base64')}`);
    const message = 'This file is not allowed to be downloaded as a datastream.';
    assert.deepEqual(await reply(`image/${view}/`), [403, message, {}]);
    const text = await add(Buffer.from('<script>alert(1)</script>'), { isSectionImage: true });
    assert.deepEqual(await reply(`image/${text}/`), [403, message, {}]);
  });

  it('give files out as CaRT with the metadata of a submission', async () => {
    const { datastore, classification } = program.foundation;
    const input = {
      sid: 'sid1',
      files: [],
      metadata: { golden: 'a', 'b.c': 'd', '__proto__.x': 'y' },
      params: { submitter: 'admin', description: 'a test' },
      times: { submitted: '2026-01-02T03:04:05.000000Z' },
      state: 'completed',
      file_count: 1,
      error_count: 0,
      max_score: 0,
      classification: 'UNRESTRICTED',
      results: [],
      errors: [],
    };
    const { document } = readDocument(submissionDocument, input, { unknown: 'drop', classification });
    await datastore.collection(submissionDocument).save('sid1', document, { visible: 'now' });
    const packed = await bytes(`download/${view}/?name=my%20file.txt&sid=sid1`);
    const cart = await readCart(sourceOfBytes(packed));
    const { golden, b, name } = cart.header as Readonly<Record<string, unknown>>;
    assert.deepEqual([golden, b, name], ['a', { c: 'd' }, 'my file.txt']);
    assert.equal(({} as { x?: string }).x, undefined);
    const body = packed.subarray(cart.body.offset, cart.body.offset + cart.body.length);
    async function* content() {
      yield body;
    }
    assert.deepEqual(await buffer(unpackCart(cart, content())), VIEW);
  });

  it('give a CaRT out as it is', async () => {
    async function* content() {
      yield VIEW;
    }
    const packed = await buffer(packCart(content(), { name: 'inner' }));
    assert.deepEqual(await bytes(`download/${await add(packed)}/`), packed);
  });

  it('give files out raw and in zip archives', async () => {
    assert.deepEqual(await bytes(`download/${view}/?encoding=raw`), VIEW);
    const zip = await bytes(`download/${view}/?encoding=zip&password=secret`);
    assert.deepEqual(await readZipMemberNames(sourceOfBytes(zip)), [view]);
    assert.equal(zip.includes(VIEW.subarray(0, 11)), false);
  });

  it('name the download safely', async () => {
    const disposition = async (name: string) => {
      const url = `download/${view}/?encoding=raw&name=${encodeURIComponent(name)}`;
      const answer = await call(url);
      return answer.status === 200 ? answer.headers.get('content-disposition') : answer.status;
    };
    assert.equal(await disposition('../../etc/passwd'), "attachment; filename=file.bin; filename*=UTF-8''passwd");
    assert.equal(
      await disposition("é ('1')\r\n"),
      "attachment; filename=file.bin; filename*=UTF-8''%C3%A9%20%28%271%27%29%0D%0A",
    );
    assert.equal(await disposition('a/'), `attachment; filename=file.bin; filename*=UTF-8''${view}`);
    assert.equal(await disposition('n'.repeat(10_000)), 400);
    assert.equal(await disposition('a\0b'), 400);
  });

  it('refuse encodings and passwords that are not allowed', async () => {
    const download = (query: string) => reply(`download/${view}/?${query}`);
    const encodings = "is not in the valid encoding types: ['cart', 'raw', 'zip']";
    assert.deepEqual(await download('encoding=rar'), [403, `RAR ${encodings}`, {}]);
    assert.deepEqual(await download('encoding='), [403, ` ${encodings}`, {}]);
    const blank = "No password given or retrieved from user's settings.";
    assert.deepEqual(await download('encoding=zip&password='), [403, blank, {}]);
    assert.deepEqual(await download('encoding=zip&password=%20'), [403, blank, {}]);
    const invalid = 'Invalid password for protected file download.';
    assert.deepEqual(await download(`encoding=zip&password=${'p'.repeat(129)}`), [400, invalid, {}]);
    assert.deepEqual(await download('encoding=zip&password=a%0Ab'), [400, invalid, {}]);
  });

  it('find files that are alike', async () => {
    const text = 'the quick brown fox jumps over the lazy dog and other animals of the forest, ';
    const first = await add(Buffer.from(text.repeat(200)));
    const second = await add(Buffer.from('something else'));
    const { ssdeep = '', tlsh } = (await reply(`info/${first}/`))[2];
    const [, whole] = ssdeep.split(':');
    await opened.collection.update(second, [
      { op: 'set', path: 'tlsh', value: tlsh },
      { op: 'set', path: 'ssdeep', value: `3:${whole}:other` },
    ]);
    const [status, , groups] = await reply(`similar/${first}/`);
    assert.equal(status, 200);
    const found = groups.map(({ type, value, total, items }: Record<string, unknown>) => [
      type,
      value,
      total,
      (items as { sha256: string }[]).map(({ sha256 }) => sha256),
    ]);
    assert.deepEqual(found, [
      ['tlsh', tlsh, 1, [second]],
      ['ssdeep', whole, 1, [second]],
    ]);
    assert.deepEqual((await call(`similar/${view}/`, { method: 'POST' })).json.api_response, []);
    assert.deepEqual(await reply(`similar/${ABSENT}/`), [404, 'This file does not exists', { success: false }]);
  });

  it('remove the bytes of a file and keep its document', async () => {
    const purged = await add(Buffer.from('purge me'));
    const remove = await call(`filestore/${purged}/`, { method: 'DELETE' });
    assert.equal(remove.status, 200, remove.text);
    assert.deepEqual(remove.json.api_response, { success: true });
    assert.equal((await reply(`download/${purged}/`))[0], 404);
    assert.deepEqual(await reply(`ascii/${purged}/`), [404, 'This file was not found in the system.', {}]);
    assert.equal((await reply(`info/${purged}/`))[2].size, 8);
    assert.equal((await call(`filestore/${ABSENT}/`, { method: 'DELETE' })).status, 404);
  });

  it('have no artificial intelligence', async () => {
    for (const path of ['ai', 'code_summary']) {
      assert.deepEqual(await reply(`${path}/${view}/`), [400, 'AI Support is disabled on this system.', {}]);
    }
  });
});
