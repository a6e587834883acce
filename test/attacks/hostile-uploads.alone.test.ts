import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { type AttackedProgram, startAttackedProgram } from './attacked-program.ts';

const ADMIN = { 'x-user': 'admin', 'x-apikey': 'devkey:admin' };
const MEGABYTE = 1_000_000;

let program: AttackedProgram;
before(async () => {
  program = await startAttackedProgram({
    environment: { SVC_ANALYSIS_SUBMISSION_MAX_FILE_SIZE: String(5 * MEGABYTE) },
  });
});
after(() => program.stop());

describe('hostile uploads are refused beside others, and leave no file behind', () => {
  const ATTACKS: Readonly<Record<string, () => Promise<number>>> = {
    'a bundle with 10 GB of zeros': () => send('/api/v4/bundle/', manyZeros(), 'application/octet-stream'),
    'a file over the limit': () => send('/api/v4/submit/', formOf(Buffer.alloc(20 * MEGABYTE, 'x')), FORM),
    'a form that is cut off': () => send('/api/v4/submit/', formOf(Buffer.from('x')).subarray(0, -20), FORM),
    'YAML of 5 MB': () =>
      send('/api/v4/system/tag_safelist/', JSON.stringify('a: [\n'.repeat(MEGABYTE)), JSON_TYPE, 'PUT'),
    'metadata with 10,000 names': () =>
      send(
        '/api/v4/submit/',
        JSON.stringify({
          plaintext: 'x',
          metadata: Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`m${at}`, 1])),
        }),
        JSON_TYPE,
      ),
    'a query that backtracks': () =>
      send(
        '/api/v4/search/submission/',
        JSON.stringify({ query: 'params.description:/((a|aa)+)+{1,99}$/' }),
        JSON_TYPE,
      ),
  };
  for (const [name, attack] of Object.entries(ATTACKS)) {
    it(name, async () => {
      const before = await storedFiles();
      const status = await program.attackBesideOthers(attack);
      assert.ok(status >= 400 && status < 500, `${status}`);
      assert.deepEqual(await storedFiles(), before);
    });
  }
});

const JSON_TYPE = 'application/json';
const DATABASE = /^(columns|coordination|datastore|documents)\./;
const FORM = 'multipart/form-data; boundary=b';

async function send(path: string, body: string | Uint8Array, type: string, method = 'POST'): Promise<number> {
  const { status } = await program.request(path, {
    service: 'analysis',
    method,
    headers: { ...ADMIN, 'content-type': type },
    body,
  });
  return status;
}

function formOf(content: Buffer): Buffer {
  const head = '--b\r\nContent-Disposition: form-data; name="bin"; filename="a"\r\n\r\n';
  return Buffer.concat([Buffer.from(head), content, Buffer.from('\r\n--b--\r\n')]);
}

/** Returns a tgz of 10 GB of zeros after the header of a member, in parts of gzip that are the same. */
function manyZeros(): Buffer {
  const header = Buffer.alloc(512);
  header.write('results.json', 0);
  header.write('0000644\0', 100);
  header.write(`${(7_000 * MEGABYTE).toString(8).padStart(11, '0')}\0`, 124);
  header.write('        0', 148);
  header.write('ustar\x0000', 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  const zeros = gzipSync(Buffer.alloc(100 * MEGABYTE), { level: 9 });
  return Buffer.concat([gzipSync(header), ...Array.from({ length: 100 }, () => zeros)]);
}

/** Returns the names of what is stored beside the databases: contents of files, and temporary files. */
async function storedFiles(): Promise<readonly string[]> {
  const all = await readdir(program.process.dataFolder, { recursive: true, withFileTypes: true });
  return all.flatMap((one) => (one.isFile() && !DATABASE.test(one.name) ? [one.name] : [])).sort();
}
