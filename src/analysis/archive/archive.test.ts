import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { unrestricted } from '../../datastore/port/read-access.ts';
import { archivedFileDocument, archivedSubmissionDocument } from '../../documents/kinds/analysis/archived.ts';
import { fileDocument } from '../../documents/kinds/analysis/file.ts';
import { submissionDocument } from '../../documents/kinds/analysis/submission.ts';
import { type AnalysisTestProgram, startAnalysisTestProgram } from '../../testing/analysis/analysis-program.ts';
import { aResult, aResultFile, aSection, resultKey } from '../../testing/analysis/result-builders.ts';
import { errorKey, seedFile, seedSubmission } from '../../testing/analysis/seeded-submission.ts';
import { until } from '../../testing/until.ts';

const ACCESS = unrestricted('the test looks at everything');
const DAY = 86_400_000;
let program: AnalysisTestProgram;
let sids = 0;

before(async () => {
  program = await startAnalysisTestProgram({
    settings: {
      'analysis.datastore.archive.enabled': true,
      'analysis.core.archiver.alternate_dtl': 10,
      'analysis.submission.metadata.archive': { rationale: { validator_type: 'text' } },
    },
  });
  await program.saveUser('ana', { classification: 'TLP:GREEN', roles: ['archive_comment', 'archive_view'] });
  await program.saveUser('bob', { classification: 'TLP:GREEN', roles: ['archive_comment', 'archive_view'] });
  await program.saveUser('low', { classification: 'TLP:CLEAR' });
  await program.saveUser('sub', { classification: 'TLP:AMBER', roles: ['submission_view', 'signature_view'] });
});
after(() => program.close());

const call = async (uname: string, method: string, path: string, json?: unknown) => {
  const [name = '', key] = uname.split('/');
  const headers = key === undefined ? {} : { 'x-apikey': `${key}:secret` };
  const options = { method, headers, ...(json === undefined ? {} : { json }) };
  const answer = await program.as(name, `/api/v4/${path}`, options);
  const { api_response: data, api_error_message: message } = answer.json;
  return { status: answer.status, data, message: message as string };
};
const collection = (definition: typeof submissionDocument) => program.foundation.datastore.collection(definition);
const hot = (sid: string) => collection(submissionDocument).get(sid, ACCESS);
const copy = (sid: string) => collection(archivedSubmissionDocument).get(sid, ACCESS);
const fileCopy = (sha256: string) => program.foundation.datastore.collection(archivedFileDocument).get(sha256, ACCESS);

/** Stores a submission of a file with a secret section, a child and a supplementary file. */
async function seed(classification = 'TLP:CLEAR') {
  sids += 1;
  const sid = `archived${sids}`;
  const put = async (text: string) => (await program.foundation.files.put(Buffer.from(text))).sha256;
  const [root, child, extra] = [await put(`root ${sid}`), await put(`child ${sid}`), await put(`extra ${sid}`)];
  await seedFile(program.store, { sha256: extra });
  const result = aResult({
    sha256: root,
    sections: [
      aSection({
        tags: {
          attribution: { actor: ['QAKBOT'] },
          technique: { packer: ['UPX'] },
          network: { static: { ip: ['1.2.3.4'] } },
        },
      } as never),
      aSection({ classification: 'TLP:AMBER', tags: { attribution: { family: ['SECRET'] } } } as never),
    ],
    extracted: [aResultFile({ sha256: child, name: 'child.txt' })],
    supplementary: [aResultFile({ sha256: extra, name: 'extra.txt' })],
  });
  await seedSubmission(program.store, {
    ...{ sid, classification, submitter: 'ana', metadata: { kind: 'test' } },
    files: [{ sha256: root }, { sha256: child }],
    results: [result],
    errors: { [child]: 'failure' },
  });
  return { sid, root, child, extra, key: resultKey(result), error: errorKey(child) };
}
async function archived(query = '', json: unknown = {}) {
  const seeded = await seed();
  const { status, data } = await call('ana', 'PUT', `archive/${seeded.sid}/?${query}`, json);
  assert.deepEqual([status, data], [200, { action: 'archive', success: true }]);
  await until('it is archived', async () => (await copy(seeded.sid)) !== undefined, 5000);
  if (query.includes('delete_after'))
    await until('it is moved', async () => (await hot(seeded.sid)) === undefined, 5000);
  else await until('it is marked', async () => (await hot(seeded.sid))?.archived === true, 5000);
  return seeded;
}

describe('the archive', () => {
  it('takes copies that never expire, with the metadata that are sent', async () => {
    const { sid, root, extra } = await archived('', { rationale: 'interesting', kind: 'other' });
    const stored = await copy(sid);
    assert.deepEqual([stored?.expiry_ts, stored?.archived], [undefined, true]);
    assert.ok(Date.parse(stored?.archive_ts ?? '') > Date.now() - DAY);
    assert.deepEqual(stored?.metadata, { kind: 'test', rationale: 'interesting' });
    assert.equal((await fileCopy(root))?.expiry_ts, undefined);
    assert.equal((await fileCopy(extra))?.is_supplementary, true);
    const [own] = [await hot(sid)];
    assert.notEqual(own?.expiry_ts, undefined, 'the original keeps its lifetime');
  });

  it('labels files by their tags, but for sections above them', async () => {
    const { root } = await archived();
    const file = await fileCopy(root);
    assert.deepEqual(file?.label_categories, { attribution: ['QAKBOT'], info: ['ioc'], technique: ['packer'] });
    assert.deepEqual([...(file?.labels ?? [])].sort(), ['QAKBOT', 'ioc', 'packer']);
  });

  it('has a lifetime of its own on request, and prolongs it', async () => {
    const { sid } = await archived('use_alternate_dtl=true');
    const days = (Date.parse((await copy(sid))?.expiry_ts ?? '') - Date.now()) / DAY;
    assert.ok(days > 9.9 && days <= 10, `${days} days`);
    await call('ana', 'PUT', `archive/${sid}/`);
    await until('it stays', async () => (await copy(sid))?.expiry_ts === undefined, 5000);
  });

  it('is read where nothing else is left, by those who may', async () => {
    const { sid, root, child, extra, key, error } = await archived('delete_after=true');
    const { data: submission } = await call('ana', 'GET', `submission/${sid}/`);
    assert.deepEqual([submission.sid, submission.from_archive], [sid, true]);
    const { data: full } = await call('ana', 'GET', `submission/full/${sid}/`);
    assert.deepEqual([Object.keys(full.results), full.errors.length ?? Object.keys(full.errors).length], [[key], 1]);
    assert.ok((await call('ana', 'GET', `submission/tree/${sid}/`)).data.tree[root].children[child]);
    assert.equal((await call('ana', 'GET', `result/${key}/`)).data.from_archive, true);
    assert.equal((await call('ana', 'GET', `file/info/${extra}/`)).data.from_archive, true);
    assert.match((await call('ana', 'GET', `file/ascii/${root}/`)).data.content, /^root/);
    assert.equal((await call('sub', 'GET', `file/result/${root}/`)).data.results.length, 1);
    assert.equal((await program.as('ana', `/api/v4/file/download/${root}/?encoding=raw`)).text, `root ${sid}`);
    assert.equal(await program.foundation.datastore.collection(fileDocument).get(root, ACCESS), undefined);
    assert.notEqual(await program.foundation.files.stat(root), undefined);
    assert.ok(error.startsWith(child));
    for (const path of [`submission/${sid}/`, `file/info/${root}/`, `file/ascii/${root}/`, `result/${key}/`]) {
      assert.notEqual((await call('sub/roles', 'GET', path)).status, 200, `${path} without the role`);
    }
  });

  it('takes submissions that ask for it once they are completed', async () => {
    const params = { auto_archive: true, delete_after_archive: true, services: { selected: ['None'] } };
    const { status, data } = await call('ana', 'POST', 'submit/', { plaintext: 'archive me', params });
    assert.equal(status, 200);
    await until('it is moved', async () => (await copy(data.sid)) !== undefined && (await hot(data.sid)) === undefined);
    assert.equal((await call('ana', 'GET', `submission/${data.sid}/`)).data.from_archive, true);
  });

  it('is searched by flags, in every verb', async () => {
    const { sid } = await archived();
    const only = await archived('delete_after=true');
    const query = `sid:${sid} OR sid:${only.sid}`;
    const search = async (verb: string, flags: string, more = '') =>
      (await call('ana', 'GET', `search/${verb}/?${new URLSearchParams({ query })}${flags}${more}`)).data;
    const sidsOf = ({ items }: { items: { sid: string; from_archive: boolean }[] }) =>
      items.map((one) => `${one.sid} ${one.from_archive}`).sort();
    assert.deepEqual(sidsOf(await search('submission', '')), [`${sid} false`]);
    const both = [`${sid} true`, `${only.sid} true`].sort();
    assert.deepEqual(sidsOf(await search('submission', '&archive_only=true')), both);
    assert.deepEqual(sidsOf(await search('submission', '&use_archive=true')), [`${sid} false`, ...both].sort());
    assert.deepEqual(await search('facet/submission/state', '&use_archive=true'), { completed: 3 });
    assert.deepEqual(await search('facet/submission/state', '&archive_only=true'), { completed: 2 });
    assert.equal((await search('stats/submission/file_count', '&use_archive=true')).count, 3);
    const steps = await search('histogram/submission/file_count', '&use_archive=true', '&start=0&end=10&gap=5');
    assert.equal(
      Object.values(steps as Record<string, number>).reduce((sum, count) => sum + count, 0),
      3,
    );
    const groups = await search('grouped/submission/sid', '&use_archive=true');
    assert.deepEqual([groups.total, groups.items.length], [3, 2]);
    const paged: string[] = [];
    for (let page = '*'; page !== ''; ) {
      const answer = await search(
        'submission',
        '&use_archive=true',
        `&rows=1&deep_paging_id=${encodeURIComponent(page)}`,
      );
      paged.push(...sidsOf(answer));
      page = answer.next_deep_paging_id ?? '';
    }
    assert.deepEqual(paged.sort(), [`${sid} false`, ...both].sort());
    const list = await call('ana', 'GET', 'submission/list/user/ana/?archive_only=true&rows=100');
    assert.ok(sidsOf(list.data).includes(`${only.sid} true`));
    assert.equal((await call('sub/roles', 'GET', `search/submission/?query=*&use_archive=true`)).status, 403);
    assert.equal((await call('ana', 'GET', 'search/signature/?query=*&archive_only=true')).status, 400);
  });

  it('shows nothing above the caller', async () => {
    const { sid } = await seed('TLP:GREEN');
    assert.equal((await call('low', 'PUT', `archive/${sid}/`)).status, 403);
    assert.equal((await call('ana', 'PUT', `archive/${sid}/?delete_after=true`)).status, 200);
    await until('it is moved', async () => (await hot(sid)) === undefined, 5000);
    assert.equal((await call('low', 'GET', `submission/${sid}/`)).status, 403);
    const { data } = await call('low', 'GET', `search/submission/?query=sid:${sid}&archive_only=true`);
    assert.equal(data.total, 0);
    assert.equal((await call('ana', 'PUT', 'archive/nothing/')).status, 404);
    assert.equal((await call('sub/roles', 'PUT', `archive/${sid}/`)).status, 403);
  });

  it('keeps bytes whose file expires, until its copy does', async () => {
    const { root } = await archived('use_alternate_dtl=true');
    const expiry = program.analysis.jobs.find(({ name }) => name === 'expiry') ?? assert.fail('there is no such job');
    const past = [{ op: 'set', path: 'expiry_ts', value: new Date(Date.now() - DAY).toISOString() }] as const;
    const run = { signal: new AbortController().signal, dryRun: false, progress: () => undefined };
    const { datastore, files } = program.foundation;
    for (const [definition, isKept] of [
      [fileDocument, true],
      [archivedFileDocument, false],
    ] as const) {
      await datastore.collection(definition).update(root, past, { visible: 'now' });
      await expiry.run(run);
      assert.equal(await datastore.collection(definition).get(root, ACCESS), undefined, definition.name);
      assert.equal((await files.stat(root)) !== undefined, isKept, definition.name);
    }
  });

  it('is left by deletion: documents and bytes that nothing else needs', async () => {
    const { sid, root } = await archived();
    assert.equal((await call('ana', 'DELETE', `submission/${sid}/`)).status, 200);
    assert.deepEqual([await hot(sid), await copy(sid), await fileCopy(root)], [undefined, undefined, undefined]);
    assert.equal(await program.foundation.files.stat(root), undefined);
    const moved = await archived('delete_after=true');
    assert.notEqual(await program.foundation.files.stat(moved.root), undefined);
    assert.equal((await call('ana', 'DELETE', `submission/${moved.sid}/`)).status, 200);
    assert.equal(await program.foundation.files.stat(moved.root), undefined);
    assert.equal((await call('ana', 'DELETE', `submission/${moved.sid}/`)).status, 404);
  });
});

describe('files in the archive', () => {
  it('have labels that people add, replace and remove', async () => {
    const { root } = await archived();
    const put = await call('ana', 'PUT', `archive/label/${root}/`, { info: ['mine'], other: ['x'] });
    assert.deepEqual(put.data.label_categories.info, ['ioc', 'mine']);
    const removed = await call('ana', 'DELETE', `archive/label/${root}/`, { attribution: ['QAKBOT'] });
    assert.deepEqual(removed.data.label_categories.attribution, []);
    const set = await call('ana', 'POST', `archive/label/${root}/`, { technique: ['one'] });
    assert.deepEqual(set.data, {
      labels: ['one'],
      label_categories: { attribution: [], info: [], technique: ['one'] },
    });
    const { data: known } = await call('ana', 'POST', 'archive/label/', { include: 'on', query: `sha256:${root}` });
    assert.deepEqual(known, [{ category: 'technique', count: 1, label: 'one' }]);
    assert.deepEqual((await call('ana', 'GET', `archive/label/?include=.*&query=sha256:${root}`)).data, []);
    for (const body of [{ info: 'x' }, { info: [''] }, { info: ['x'.repeat(300)] }]) {
      assert.equal((await call('ana', 'PUT', `archive/label/${root}/`, body)).status, 400, JSON.stringify(body));
    }
    assert.equal((await call('ana', 'PUT', `archive/label/${'0'.repeat(64)}/`, { info: ['x'] })).status, 404);
    assert.equal((await call('sub/roles', 'PUT', `archive/label/${root}/`, { info: ['x'] })).status, 403);
  });

  it('have comments with reactions, which their authors change', async () => {
    const { root } = await archived();
    const path = `archive/comment/${root}/`;
    assert.equal((await call('ana', 'PUT', path, { text: 'x' })).status, 403, 'the role is in no privilege');
    assert.deepEqual((await call('ana', 'GET', path)).data, { authors: {}, comments: [] });
    const { data: first } = await call('ana/roles', 'PUT', path, { text: 'first' });
    const { data: second } = await call('bob/roles', 'PUT', path, { text: 'second' });
    assert.deepEqual([first.uname, first.text, first.reactions], ['ana', 'first', []]);
    assert.equal((await call('bob/roles', 'POST', `${path}${first.cid}/`, { text: 'forged' })).status, 403);
    assert.equal((await call('bob/roles', 'DELETE', `${path}${first.cid}/`)).status, 403);
    assert.deepEqual((await call('ana/roles', 'POST', `${path}${first.cid}/`, { text: 'better' })).data, {
      success: true,
    });
    const love = `archive/reaction/${root}/${first.cid}/love/`;
    assert.deepEqual((await call('bob/roles', 'PUT', love)).data, [{ icon: 'love', uname: 'bob' }]);
    const { data } = await call('ana', 'GET', path);
    assert.deepEqual(
      data.comments.map(({ text, uname }: { text: string; uname: string }) => [text, uname]),
      [
        ['second', 'bob'],
        ['better', 'ana'],
      ],
    );
    assert.deepEqual(data.authors.bob, { uname: 'bob', name: 'bob', email: 'bob@triad.example' });
    assert.deepEqual((await call('bob/roles', 'PUT', love)).data, []);
    assert.equal((await call('bob/roles', 'DELETE', `${path}${second.cid}/`)).status, 200);
    assert.equal((await call('ana', 'GET', path)).data.comments.length, 1);
    for (const [method, of, body, status] of [
      ['PUT', path, { text: 5 }, 400],
      ['PUT', path, { text: 'x'.repeat(9000) }, 400],
      ['POST', `${path}nothing/`, { text: 'x' }, 404],
      ['DELETE', `${path}nothing/`, undefined, 404],
      ['PUT', `archive/reaction/${root}/${first.cid}/rude/`, undefined, 400],
      ['PUT', `archive/comment/${'0'.repeat(64)}/`, { text: 'x' }, 404],
    ] as const) {
      assert.equal((await call('ana/roles', method, of, body)).status, status, `${method} ${of}`);
    }
  });
});

describe('an installation without an archive', () => {
  it('answers as for an unknown address', async (context) => {
    const other = await startAnalysisTestProgram();
    context.after(() => other.close());
    await other.saveUser('ana');
    for (const [method, path] of [
      ['PUT', 'archive/sid/'],
      ['GET', 'archive/label/'],
      ['PUT', 'archive/comment/x/'],
    ] as const) {
      const { status, json } = await other.as('ana', `/api/v4/${path}`, { method });
      assert.deepEqual([status, json.api_error_message], [404, `Api does not exist (/api/v4/${path})`]);
    }
  });
});
