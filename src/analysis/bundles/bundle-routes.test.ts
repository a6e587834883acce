import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';
import { unrestricted } from '../../datastore/port/read-access.ts';
import { fileDocument } from '../../documents/kinds/analysis/file.ts';
import { resultDocument } from '../../documents/kinds/analysis/result.ts';
import { type Submission, submissionDocument } from '../../documents/kinds/analysis/submission.ts';
import type { DocumentDefinition } from '../../documents/schema/document-definition.ts';
import { type AnalysisTestProgram, startAnalysisTestProgram } from '../../testing/analysis/analysis-program.ts';
import { aHeuristic, aResult, aResultFile, aSection, resultKey } from '../../testing/analysis/result-builders.ts';
import { seedFile, seedSubmission } from '../../testing/analysis/seeded-submission.ts';
import { packCart } from '../formats/cart.ts';

const ACCESS = unrestricted('the test looks at everything');
let program: AnalysisTestProgram;
let root: string;
let secret: string;
let extra: string;

before(async () => {
  program = await startAnalysisTestProgram();
  await program.saveUser('ana', { classification: 'TLP:GREEN' });
  await program.saveUser('bob', { classification: 'TLP:AMBER' });
  const put = async (text: string) => (await program.foundation.files.put(Buffer.from(text))).sha256;
  [root, secret, extra] = [await put('root'), await put('secret bytes'), await put('extra')];
  await seedFile(program.store, { sha256: extra });
  const ofRoot = aResult({
    sha256: root,
    sections: [
      aSection({ heuristic: aHeuristic('OPEN.1', 100) }),
      aSection({ classification: 'TLP:AMBER', title_text: 'secret', heuristic: aHeuristic('SECRET.1', 900) }),
    ],
    extracted: [aResultFile({ sha256: secret, name: 'secret.txt' })],
    supplementary: [aResultFile({ sha256: extra, name: 'extra.txt' })],
  });
  await seedSubmission(program.store, {
    ...{ sid: 'one', submitter: 'ana', metadata: { kind: 'test' } },
    files: [{ sha256: root }, { sha256: secret, classification: 'TLP:AMBER', ascii: 'secret' }],
    results: [ofRoot, aResult({ sha256: secret, sections: [aSection({ title_text: 'secret' })] })],
    keys: [`${root}.Empty.v1.c0.e`],
    errors: { [secret]: 'secret failure' },
  });
});
after(() => program.close());

const stored = <T>(definition: DocumentDefinition<T>, id: string) =>
  program.foundation.datastore.collection(definition).get(id, ACCESS);
const forget = async (sid: string) => {
  await program.foundation.datastore.collection(submissionDocument).delete(sid, { visible: 'now' });
};

async function download(uname: string, path = 'one/'): Promise<{ status: number; bytes: Buffer }> {
  const answer = await fetch(`${program.urls.analysis}/api/v4/bundle/${path}`, {
    headers: { 'x-user': uname, 'x-apikey': 'key:secret' },
  });
  return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) };
}
const upload = async (body: Uint8Array, query = '') => {
  const { status, json } = await program.as('bob', `/api/v4/bundle/${query}`, { method: 'POST', body });
  return { status, answer: json.api_response, message: json.api_error_message as string };
};
async function aTgz(members: Readonly<Record<string, string | Uint8Array>>, type: 'file' | 'symlink' = 'file') {
  const archive = pack();
  for (const [name, content] of Object.entries(members)) {
    if (type === 'file') archive.entry({ name }, Buffer.from(content as string));
    else archive.entry({ name, type, linkname: '/etc/passwd' });
  }
  archive.finalize();
  return gzipSync(await buffer(archive));
}
const aCart = (bytes: Uint8Array, kind: string) =>
  buffer(Readable.from(packCart(Readable.from([bytes]), { al: { type: kind }, name: 'x.tgz' })));

describe('bundles', () => {
  it('bring a submission to where it is not, with files, results and errors', async () => {
    const { status, bytes } = await download('bob');
    assert.equal(status, 200);
    assert.equal((await upload(bytes)).status, 409);
    assert.equal((await upload(bytes, '?exist_ok=true')).status, 200);
    const before = (await stored(submissionDocument, 'one')) as Submission;
    await forget('one');
    await program.foundation.datastore.collection(fileDocument).delete(root);
    await program.foundation.files.delete(root);
    assert.deepEqual(await upload(bytes), { status: 200, answer: { success: true }, message: '' });
    const imported = (await stored(submissionDocument, 'one')) as Submission;
    assert.deepEqual([...imported.results].sort(), [...before.results].sort());
    assert.equal(imported.metadata.kind, 'test');
    assert.equal(imported.metadata['bundle.classification'], 'TLP:CLEAR');
    assert.ok(imported.metadata['bundle.loaded'] && imported.metadata['bundle.source']);
    assert.ok(await stored(fileDocument, root));
    assert.ok(await program.foundation.files.stat(root));
  });

  it('hold nothing above the caller who exports them', async () => {
    const { bytes } = await download('ana');
    await forget('one');
    assert.equal((await upload(bytes)).status, 200);
    const imported = (await stored(submissionDocument, 'one')) as Submission;
    assert.ok(imported.results.every((key) => key.startsWith(root)));
    assert.deepEqual(imported.errors, []);
  });

  it('are made in Base64 or without a CaRT, too, with a minimum classification', async () => {
    const { bytes } = await download('bob');
    await forget('one');
    const encoded = Buffer.from(bytes.toString('base64'));
    assert.equal((await upload(encoded, '?min_classification=TLP:AMBER')).status, 200);
    assert.equal((await stored(submissionDocument, 'one'))?.classification, 'TLP:AMBER');
    assert.equal((await upload(bytes, '?min_classification=NONSENSE')).status, 400);
  });

  it('never overwrite results', async () => {
    const key = resultKey(aResult({ sha256: root }));
    const before = await stored(resultDocument, key);
    const forged = {
      submission: { ...(await stored(submissionDocument, 'one')), sid: 'forged', results: [key], errors: [] },
      files: { infos: { [root]: { ...(await stored(fileDocument, root)), classification: 'TLP:CLEAR' } } },
      results: { results: { [key]: aResult({ sha256: root, sections: [aSection({ title_text: 'forged' })] }) } },
    };
    assert.equal((await upload(await aTgz({ 'results.json': JSON.stringify(forged) }))).status, 200);
    assert.deepEqual(await stored(resultDocument, key), before);
  });

  it('are refused in words that say why, and leave nothing behind', async () => {
    const content = Buffer.from('left behind');
    const digest = 'f'.repeat(64);
    const documents = JSON.stringify({ submission: { sid: 'new' } });
    const cases: Record<string, Uint8Array> = {
      'no bundle': Buffer.from('not a bundle'),
      nothing: Buffer.from(''),
      'a broken CaRT': Buffer.from(`CART${'x'.repeat(40)}`),
      'another CaRT': await aCart(await aTgz({ 'results.json': '{}' }), 'executable/linux'),
      'a broken tgz': gzipSync(Buffer.from('no tar')).subarray(0, 20),
      'a path': await aTgz({ '../results.json': '{}' }),
      'a link': await aTgz({ 'results.json': '' }, 'symlink'),
      'another member': await aTgz({ 'a.txt': 'x' }),
      'no documents': await aTgz({}),
      'no JSON': await aTgz({ 'results.json': '{' }),
      'deep JSON': await aTgz({ 'results.json': `${'['.repeat(10_000)}${']'.repeat(10_000)}` }),
      'other bytes': await aTgz({ [digest]: content, 'results.json': documents }),
      'a bad submission with a file': await aTgz({
        [createHash('sha256').update(content).digest('hex')]: content,
        'results.json': documents,
      }),
      'a bad submission': await aTgz({ 'results.json': documents }),
      'a list': await aTgz({ 'results.json': '[]' }),
      'a foreign sid': await aTgz({ 'results.json': JSON.stringify({ submission: { sid: '../x' } }) }),
      zeros: gzipSync(Buffer.alloc(200_000_000)),
    };
    for (const [name, bytes] of Object.entries(cases)) {
      const { status, answer, message } = await upload(bytes);
      assert.deepEqual([status, answer], [400, { success: false }], `${name}: ${message}`);
      assert.match(message, /Not a valid bundle: /, name);
    }
    const stored = await program.foundation.files.stat(
      'b8244d028981d693af7b456af8efa4cad63d282e19ff14942c246e50d9351d22',
    );
    assert.equal(stored, undefined);
  });

  it('need everything that the submission names, unless incomplete ones are allowed', async () => {
    const submission = { ...(await stored(submissionDocument, 'one')), sid: 'half', errors: [] };
    const bytes = await aTgz({ 'results.json': JSON.stringify({ submission }) });
    const refused = await upload(bytes);
    assert.deepEqual([refused.status, refused.message], [400, 'Incomplete results in bundle. Skipping half...']);
    assert.equal((await upload(bytes, '?allow_incomplete')).status, 200);
  });

  it('are not made of what the caller may not see, or what does not exist', async () => {
    assert.equal((await download('ana', 'nope/')).status, 403);
    assert.equal((await download('ana', 'one/?use_alert=true')).status, 403);
  });
});
