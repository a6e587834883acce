import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { deflateSync, gzipSync } from 'node:zlib';
import { Uint8ArrayReader, Uint8ArrayWriter, ZipWriter, type ZipWriterAddDataOptions } from '@zip.js/zip.js';
import { pack } from 'tar-stream';
import { packCart } from '../../formats/cart.ts';
import type { AnalyzerRequest, AnalyzerResult } from '../analyzer.ts';
import { extract } from './extract.ts';
import { extractManifest } from './extract-manifest.ts';

const MEGABYTE = 1_048_576;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'triad-extract-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function extracted(content: Uint8Array, type: string, changes: Partial<AnalyzerRequest> = {}) {
  const path = join(folder, 'content');
  const output = join(folder, 'output');
  await writeFile(path, content);
  await mkdir(output);
  const result = await extract({
    analyzer: 'Extract',
    path,
    folder: output,
    file: { sha256: 'a'.repeat(64), type, name: 'given.bin', size: content.length },
    maxFiles: 100,
    parameters: {},
    temporaryData: {},
    timeLimit: 60_000,
    ...changes,
    config: { ...extractManifest.config, ...changes.config },
  });
  const read = async ({ name, file }: { name: string; file: string }) =>
    [name, await readFile(join(output, file), 'utf8')] as const;
  const files = Object.fromEntries(await Promise.all((result.extracted ?? []).map(read)));
  const supplementary = Object.fromEntries(await Promise.all((result.supplementary ?? []).map(read)));
  const left = await readdir(output);
  assert.equal(left.length, (result.extracted?.length ?? 0) + (result.supplementary?.length ?? 0), 'files are left');
  return { result, files, supplementary };
}

const sectionOf = ({ sections }: AnalyzerResult, heuristic: number) =>
  sections.find((section) => section.heuristic?.heur_id === heuristic);
const titlesOf = ({ sections }: AnalyzerResult) => sections.map(({ title_text }) => title_text);

type ZipMember = readonly [name: string, content: string | Uint8Array | null, options?: ZipWriterAddDataOptions];

async function zipOf(...members: readonly ZipMember[]): Promise<Uint8Array> {
  const zip = new ZipWriter(new Uint8ArrayWriter(), { useWebWorkers: false });
  for (const [name, content, options = {}] of members) {
    const bytes = content === null ? undefined : new Uint8ArrayReader(Buffer.from(content));
    await zip.add(name, bytes, content === null ? { ...options, directory: true } : options);
  }
  return zip.close();
}

async function tarOf(
  ...members: readonly (readonly [Parameters<ReturnType<typeof pack>['entry']>[0], string?])[]
): Promise<Uint8Array> {
  const tar = pack();
  for (const [header, content = ''] of members) tar.entry(header, content);
  tar.finalize();
  return Buffer.concat(await Array.fromAsync(tar as AsyncIterable<Uint8Array>));
}

describe('Extract', () => {
  it('extracts a zip file, and names what it found', async () => {
    const { result, files } = await extracted(
      await zipOf(['a.txt', 'A'], ['folder', null], ['folder/b.txt', 'B'], ['empty', '']),
      'archive/zip',
    );
    assert.deepEqual(files, { 'a.txt': 'A', 'folder/b.txt': 'B' });
    assert.equal(result.dropsFile, true);
    assert.equal(result.isPartial, false);
    assert.deepEqual(titlesOf(result), ['Successfully extracted 2 files']);
    const section = sectionOf(result, 1);
    assert.equal(section?.body, 'a.txt\nfolder/b.txt');
    assert.deepEqual(section?.tags, { 'file.name.extracted': ['a.txt', 'folder/b.txt'] });
  });

  for (const [encryption, options] of [
    ['ZipCrypto', { zipCrypto: true }],
    ['AES', { encryptionStrength: 3 }],
  ] as const) {
    it(`opens ${encryption} with passwords of the configuration, the submitter, other services and the name`, async () => {
      for (const [password, changes] of [
        ['infected', {}],
        ['of the submitter', { parameters: { password: 'of the submitter' } }],
        ['found', { temporaryData: { passwords: ['no', 'found', 5, null] } }],
        ['in the text', { temporaryData: { email_body: ['in the text'] } }],
        ['given', {}],
      ] as const) {
        const content = await zipOf(['secret.txt', 'hidden', { ...options, password }]);
        const { result, files } = await extracted(content, 'archive/zip', changes);
        assert.deepEqual(files, { 'secret.txt': 'hidden' });
        assert.deepEqual(titlesOf(result), [`Successfully extracted 1 file using password: ${password}`]);
        assert.deepEqual(sectionOf(result, 10)?.tags['info.password'], [password]);
        await rm(join(folder, 'output'), { recursive: true });
      }
    });
  }

  it('opens members with different passwords, and reports those that none opens', async () => {
    const content = await zipOf(
      ['open.txt', 'open'],
      ['one.txt', 'one', { password: 'infected' }],
      ['two.txt', 'two', { password: '1234', zipCrypto: true }],
      ['three.txt', 'three', { password: 'unknown to all' }],
    );
    const { result, files, supplementary } = await extracted(content, 'archive/zip', {
      parameters: { score_failed_password: true },
    });
    assert.deepEqual(files, { 'open.txt': 'open', 'one.txt': 'one', 'two.txt': 'two' });
    assert.equal(result.isPartial, true);
    assert.equal(result.dropsFile, true);
    const failed = sectionOf(result, 12);
    assert.deepEqual(failed?.heuristic?.signatures, { raise_score: 1 });
    assert.deepEqual(failed?.tags['file.name.extracted'], ['three.txt']);
    assert.ok(JSON.parse(supplementary['password_tested.json'] ?? '').includes('VelvetSweatshop'));
  });

  it('does not try all passwords on every member of an archive that none opens', async () => {
    const members = Array.from(
      { length: 60 },
      (_, index) => [`${index}`, 'x', { password: 'unknown to all' }] as const,
    );
    const passwords = Array.from({ length: 300 }, (_, index) => `wrong ${index}`);
    const content = await zipOf(...members, ['open', 'x', { password: 'infected' }]);
    const started = performance.now();
    const { result, files } = await extracted(content, 'archive/zip', { temporaryData: { passwords } });
    assert.deepEqual([result.isPartial, Object.keys(files)], [true, []]);
    assert.equal(sectionOf(result, 12)?.tags['file.name.extracted']?.length, 61);
    assert.ok(performance.now() - started < 30_000);
  });

  it('makes relative names of every name, which never become paths', async () => {
    const names = ['../../etc/passwd', '/root/a', 'C:\\Windows\\b', 'a\0b', `${'n'.repeat(3000)}.txt`, '..', 'x/./y'];
    const content = await tarOf(...names.map((name) => [{ name }, 'x'] as const));
    const { result } = await extracted(content, 'archive/tar');
    const found = (result.extracted ?? []).map(({ name }) => name);
    assert.deepEqual(found.filter((name) => name.length < 100).sort(), [
      'Windows/b',
      'a',
      'etc/passwd',
      'root/a',
      'unnamed',
      'x/y',
    ]);
    for (const name of found) assert.ok(name.length <= 1000);
    const zipped = await extracted2(await zipOf(['../up', 'x'], ['a\0b', 'x'], ['\u202egpj.exe', 'x']));
    assert.deepEqual(zipped, ['\\u202egpj.exe', 'a\\x00b', 'up']);
  });

  it('names links and extracts no target', async () => {
    const content = await tarOf(
      [{ name: 'link', type: 'symlink', linkname: '/etc/passwd' }],
      [{ name: 'hard', type: 'link', linkname: 'link' }],
      [{ name: 'device', type: 'character-device' }],
      [{ name: 'file' }, 'x'],
    );
    const { result, files } = await extracted(content, 'archive/tar');
    assert.deepEqual(files, { file: 'x' });
    assert.equal(sectionOf(result, 15)?.body, 'link -> /etc/passwd\nhard -> link');
    await rm(join(folder, 'output'), { recursive: true });
    const link = { externalFileAttributes: (0o120777 << 16) >>> 0, versionMadeBy: 0x314 };
    const zipped = await extracted(await zipOf(['link', '/etc/passwd', link], ['f', 'x']), 'archive/zip');
    assert.deepEqual(zipped.files, { f: 'x' });
    assert.equal(sectionOf(zipped.result, 15)?.body, 'link -> /etc/passwd');
  });

  it('extracts at most as many files as the task allows, launchable ones first, and lists all', async () => {
    const members = Array.from({ length: 30 }, (_, index) => [`${index}.txt`, 'x'] as const);
    const { result, files, supplementary } = await extracted(
      await zipOf(...members, ['last.exe', 'MZ']),
      'archive/zip',
      { maxFiles: 5 },
    );
    assert.equal(Object.keys(files).length, 5);
    assert.ok('last.exe' in files);
    assert.match(titlesOf(result).join('\n'), /contains at least 31 files, exceeding the maximum of 5 extracted files/);
    assert.equal(supplementary['listing.txt']?.trim().split('\n').length, 31);
    await rm(join(folder, 'output'), { recursive: true });
    const tar = await tarOf(...members.map(([name, content]) => [{ name }, content] as const));
    assert.equal((await extracted(tar, 'archive/tar', { maxFiles: 5 })).result.extracted?.length, 5);
  });

  it('leaves out members that are too large, as the archive says or as it turns out', async () => {
    const zeros = new Uint8Array(3 * MEGABYTE);
    const config = { max_member_size: MEGABYTE };
    const honest = await extracted(await zipOf(['zeros', zeros], ['small', 'x']), 'archive/zip', { config });
    assert.deepEqual(honest.files, { small: 'x' });
    assert.match(
      sectionOf(honest.result, 22)?.body ?? '',
      /^zeros: it has 3145728 bytes \(0\.1\d % of it compressed\)/,
    );
    await rm(join(folder, 'output'), { recursive: true });
    const liar = Buffer.from(await zipOf(['zeros', zeros]));
    // The central directory says that the member has 10 bytes.
    liar.writeUInt32LE(10, liar.indexOf('PK\x01\x02') + 24);
    const lied = await extracted(liar, 'archive/zip', { config });
    assert.deepEqual(lied.files, {});
    await rm(join(folder, 'output'), { recursive: true });
    const gzip = await extracted(gzipSync(zeros), 'archive/gzip', { config });
    assert.deepEqual(gzip.files, {});
    assert.match(sectionOf(gzip.result, 22)?.body ?? '', /it has more than 1048576 bytes/);
  });

  it('stops at the total size and at the ratio to the size of the archive', async () => {
    const members = Array.from({ length: 6 }, (_, index) => [`${index}`, new Uint8Array(MEGABYTE)] as const);
    const content = await zipOf(...members);
    const { result } = await extracted(content, 'archive/zip', { config: { max_total_size: 3.5 * MEGABYTE } });
    assert.equal(result.extracted?.length, 3);
    assert.match(titlesOf(result).join('\n'), /Some files were not extracted/);
    await rm(join(folder, 'output'), { recursive: true });
    // 10 GB of zeros: as gzip members one after the other.
    const bomb = Buffer.concat(Array.from({ length: 10 }, () => gzipSync(new Uint8Array(10 * MEGABYTE))));
    const stopped = await extracted(bomb, 'archive/gzip', { config: { max_member_size: 10_000 * MEGABYTE } });
    assert.deepEqual(stopped.files, {});
    assert.match(sectionOf(stopped.result, 22)?.body ?? '', /all files together have more than 67108864 bytes/);
  });

  it('stops before its process would be killed', async () => {
    const content = await zipOf(['a', 'x'], ['b', 'x']);
    const { result } = await extracted(content, 'archive/zip', { timeLimit: 0 });
    assert.deepEqual(result.extracted, []);
    assert.match(result.sections.at(-1)?.body ?? '', /the time for extraction is over/);
  });

  it('extracts gzip and zlib under the name that they have', async () => {
    const named = Buffer.concat([
      Buffer.from([0x1f, 0x8b, 8, 8, 0, 0, 0, 0, 0, 3]),
      Buffer.from('inside.txt\0'),
      gzipSync('content').subarray(10),
    ]);
    assert.deepEqual((await extracted(named, 'archive/gzip')).files, { 'inside.txt': 'content' });
    await rm(join(folder, 'output'), { recursive: true });
    const file = { sha256: 'a'.repeat(64), type: 'archive/gzip', name: 'report.txt.gz', size: 10 };
    const unnamed = await extracted(gzipSync('content'), 'archive/gzip', { file });
    assert.deepEqual(unnamed.files, { 'report.txt': 'content' });
    await rm(join(folder, 'output'), { recursive: true });
    assert.deepEqual((await extracted(deflateSync('content'), 'archive/zlib')).files, { 'given.bin': 'content' });
  });

  it('extracts a CaRT under the name that it states', async () => {
    const cart = (header: Record<string, unknown>, content: string) =>
      Array.fromAsync(packCart(Readable.from([Buffer.from(content)]), header)).then((parts) => Buffer.concat(parts));
    assert.deepEqual((await extracted(await cart({ name: '../evil.exe' }, 'MZ'), 'archive/cart')).files, {
      'evil.exe': 'MZ',
    });
    await rm(join(folder, 'output'), { recursive: true });
    const file = { sha256: 'a'.repeat(64), type: 'archive/cart', name: 'a.txt.cart', size: 10 };
    assert.deepEqual((await extracted(await cart({}, 'A'), 'archive/cart', { file })).files, { 'a.txt': 'A' });
    await rm(join(folder, 'output'), { recursive: true });
    const large = await cart({}, '0'.repeat(3 * MEGABYTE));
    const { files, result } = await extracted(large, 'archive/cart', { config: { max_member_size: MEGABYTE } });
    assert.deepEqual(files, {});
    assert.ok(sectionOf(result, 22));
  });

  it('unpacks a compressed tar file as one archive', async () => {
    const tar = await tarOf([{ name: 'a' }, 'A'], [{ name: 'b' }, 'B']);
    const { result, files } = await extracted(gzipSync(tar), 'archive/gzip');
    assert.deepEqual(files, { a: 'A', b: 'B' });
    assert.deepEqual(titlesOf(result), ['gzip tar file extracted', 'Successfully extracted 2 files']);
    const [text, values] = JSON.parse(result.sections[0]?.body ?? '');
    assert.match(text[1], /further extracted/);
    assert.deepEqual(values[1][4], ['Total Size', tar.length]);
  });

  it('reports damaged archives and extracts what it can', async () => {
    for (const type of ['archive/zip', 'archive/tar', 'archive/gzip', 'archive/zlib', 'archive/cart', 'java/jar']) {
      const { result, files } = await extracted(Buffer.from('no archive at all '.repeat(100)), type);
      assert.deepEqual(files, {});
      assert.ok(sectionOf(result, 24), type);
      await rm(join(folder, 'output'), { recursive: true });
    }
    const cut = gzipSync(
      Buffer.from(
        '0123456789'
          .repeat(50_000)
          .split('')
          .sort(() => 0.5 - Math.random())
          .join(''),
      ),
    );
    const partial = await extracted(cut.subarray(0, cut.length / 2), 'archive/gzip');
    assert.equal(Object.keys(partial.files).length, 1);
    assert.match(titlesOf(partial.result).join('\n'), /Errors in the archive/);
    await rm(join(folder, 'output'), { recursive: true });
    const truncated = await tarOf([{ name: 'a' }, 'A'], [{ name: 'b' }, 'B'.repeat(5000)]);
    const tar = await extracted(truncated.subarray(0, 3000), 'archive/tar');
    assert.equal(tar.files.a, 'A');
  });

  it('reports launchable files by extension and by content, hidden files, and a hijacked folder', async () => {
    const single = await extracted(await zipOf(['invoice.js', 'x']), 'archive/zip');
    assert.equal(sectionOf(single.result, 13)?.body, 'invoice.js: .js found inside archive/zip');
    await rm(join(folder, 'output'), { recursive: true });
    const several = await extracted(await zipOf(['a.dat', 'MZ..'], ['b.txt', 'x']), 'archive/zip');
    assert.equal(sectionOf(several.result, 16)?.body, 'a.dat: executable/windows found inside archive/zip');
    await rm(join(folder, 'output'), { recursive: true });
    const calm = await extracted(await zipOf(['a.jar', 'x']), 'java/jar', {});
    assert.deepEqual(titlesOf(calm.result), ['Successfully extracted 1 file']);
    assert.ok(sectionOf(calm.result, 3));
    assert.equal(calm.result.dropsFile, false);
    await rm(join(folder, 'output'), { recursive: true });
    const hidden = await zipOf(['h', 'x', { msDosCompatible: true, externalFileAttributes: 2 }]);
    assert.ok(sectionOf((await extracted(hidden, 'archive/zip')).result, 18));
    await rm(join(folder, 'output'), { recursive: true });
    const hijack = await zipOf(['a.pdf ', 'x'], ['a.pdf /', null], ['a.pdf /a.pdf .cmd', 'x']);
    assert.ok(sectionOf((await extracted(hijack, 'archive/zip')).result, 25));
  });

  it('keeps the file in the analysis when the submitter says so, and when it is large with few files', async () => {
    const content = await zipOf(['a', 'x']);
    const parameters = { continue_after_extract: true };
    assert.equal((await extracted(content, 'archive/zip', { parameters })).result.dropsFile, false);
    await rm(join(folder, 'output'), { recursive: true });
    const config = { small_size_bypass_drop: 10 };
    assert.equal((await extracted(content, 'archive/zip', { config })).result.dropsFile, false);
    assert.ok((await stat(join(folder, 'content'))).size > 10);
  });
});

async function extracted2(content: Uint8Array): Promise<readonly string[]> {
  await rm(join(folder, 'output'), { recursive: true, force: true });
  const { result } = await extracted(content, 'archive/zip');
  return (result.extracted ?? []).map(({ name }) => name).sort();
}
