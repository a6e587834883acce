import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { resultDocument } from '../../documents/kinds/analysis/result.ts';
import { submissionDocument } from '../../documents/kinds/analysis/submission.ts';
import { analysisSession } from '../../testing/analysis-session.ts';
import { seedDocument } from '../../testing/seed-document.ts';
import { startTestProgram, type TestProgram } from '../../testing/start-test-program.ts';

const LEVELS = ['UNRESTRICTED', 'RESTRICTED'] as const;
const PASSWORD = 'correct-horse-battery';
const SHA = 'a'.repeat(64);

let program: TestProgram;
const sessions: Record<string, Readonly<Record<string, string>>> = {};

before(async () => {
  program = await startTestProgram({ demo: 'users', settings: { 'ui.enforce_quota': false } });
  for (const level of LEVELS) {
    const name = level.toLowerCase();
    const { status, text } = await program.request(`/api/v1/user/${name}`, {
      method: 'POST',
      basic: 'admin:devkey:admin',
      json: { name, new_pass: PASSWORD, classification: level, email: `${name}@triad.example` },
    });
    assert.equal(status, 200, text);
  }
  for (const classification of LEVELS) {
    await seedDocument(program, submissionDocument, `sid-${classification}`, submission(classification));
    await seedDocument(program, resultDocument, `${SHA}.${classification}`, result(classification));
  }
});
after(() => program.close());

describe('searches of the analysis service', () => {
  it('finds what the caller may see', async () => {
    assert.deepEqual(await found('UNRESTRICTED', 'submission/?query=*&fl=sid'), [{ sid: 'sid-UNRESTRICTED' }]);
    assert.equal((await found('RESTRICTED', 'submission/?query=*&fl=sid')).length, 2);
  });

  it('neither finds nor counts a section above the caller', async () => {
    const tag = 'result.sections.tags.network.static.domain';
    const words = 'result.sections.body:secret';
    assert.deepEqual(await found('UNRESTRICTED', `results/?query=${words}&fl=*`), []);
    assert.equal((await found('RESTRICTED', `result/?query=${words}`)).length, 1);
    const facet = (level: (typeof LEVELS)[number]) => answer(level, `facet/result/${tag}/`);
    assert.deepEqual((await facet('UNRESTRICTED')).json.api_response, { 'unrestricted.example.com': 1 });
    assert.equal(Object.keys((await facet('RESTRICTED')).json.api_response).length, 2);
    const fields = await answer('UNRESTRICTED', 'fields/result/');
    assert.equal('result.sections.tags.file.rule.unrestricted' in fields.json.api_response, true);
    assert.equal('result.sections.tags.file.rule.restricted' in fields.json.api_response, false);
  });

  it('finds metadata and identifiers by words without a field, and sorts and groups by a key of it', async () => {
    assert.equal((await found('RESTRICTED', 'submission/?query=purple')).length, 2);
    assert.equal((await found('RESTRICTED', `result/?query=${SHA}.RESTRICTED`)).length, 1);
    const sorted = await found('RESTRICTED', 'submission/?query=*&sort=metadata.case.number desc&fl=metadata');
    assert.deepEqual(sorted[0], { metadata: { 'case.number': 'UNRESTRICTED', colour: 'purple' } });
    const grouped = await answer('RESTRICTED', 'grouped/submission/metadata.colour/?fl=sid&limit=2');
    assert.equal(grouped.json.api_response.items[0].items.length, 2, grouped.text);
  });

  it('answers every index and verb, in GET and POST, and the index result by its other name', async () => {
    for (const name of 'alert badlist file heuristic result results retrohunt safelist signature submission workflow'.split(
      ' ',
    )) {
      for (const verb of ['', `facet/`, `stats/`, `grouped/`, `histogram/`]) {
        const field = verb === '' ? '' : 'id/';
        const get = await answer('UNRESTRICTED', `${verb}${name}/${field}?query=id:none`);
        const post = await answer('UNRESTRICTED', `${verb}${name}/${field}`, { query: 'id:none' });
        const expected = verb === 'stats/' || verb === 'histogram/' ? 400 : 200;
        assert.deepEqual([get.status, post.status], [expected, expected], `${verb}${name} ${get.text} ${post.text}`);
      }
    }
  });

  it('refuses what is not an argument with a 4xx that says what', async () => {
    for (const [path, message] of [
      ['submission/?query=*&rows=10001', /SearchException/],
      ['submission/?query=*&fl=a&sort=__access_lvl__ asc', /SearchException: No field/],
      [`submission/?query=${'('.repeat(5000)}`, /SearchException/],
      ['facet/submission/__access_lvl__/', /not a valid field/],
      ['facet/submission/metadata/', /not a valid field/],
      ['facet/submission/constructor/', /not a valid field/],
      ['facet/submission/state/?size=0', /size/],
      ['histogram/submission/max_score/?gap=0', /gap/],
      ['histogram/submission/times.submitted/?start=now-1000y', /steps/],
      ['grouped/submission/params.description/', /SearchException/],
      ['submission/?query=*&archive_only=true', /archive/],
      ['submission/?query=*&timeout=-1', /timeout/],
      ['submission/?query=*&deep_paging_id=page,unknown', /search to continue/],
    ] as const) {
      const { status, json } = await answer('RESTRICTED', path);
      assert.equal(status === 400 || status === 403, true, `${path} ${status}`);
      assert.match(json.api_error_message, message, path);
    }
    for (const name of ['constructor', '__proto__', 'hit', 'user_settings']) {
      assert.equal((await answer('RESTRICTED', `${name}/?query=*`)).status, 403, name);
    }
  });
});

async function answer(level: (typeof LEVELS)[number], path: string, body?: object) {
  sessions[level] ??= await analysisSession(program, level.toLowerCase(), PASSWORD);
  return program.request(`/api/v4/search/${path.replaceAll(' ', '%20')}`, {
    service: 'analysis',
    headers: sessions[level],
    ...(body === undefined ? {} : { method: 'POST', json: body }),
  });
}

async function found(level: (typeof LEVELS)[number], path: string): Promise<readonly Record<string, unknown>[]> {
  const { status, json, text } = await answer(level, path);
  assert.equal(status, 200, text);
  return json.api_response.items;
}

function submission(classification: string) {
  return {
    classification,
    sid: `sid-${classification}`,
    state: 'completed',
    error_count: 0,
    errors: [],
    results: [],
    file_count: 1,
    files: [{ name: 'a', sha256: SHA }],
    max_score: 0,
    metadata: { 'case.number': classification, colour: 'purple' },
    params: { submitter: 'admin', description: 'A sample.' },
  };
}

/** An unrestricted result with a section of this classification. */
function result(classification: string) {
  const name = classification.toLowerCase();
  return {
    sha256: SHA,
    response: { service_name: 'Test', service_version: '1' },
    result: {
      sections: [
        {
          classification,
          title_text: 'Title',
          body: classification === 'RESTRICTED' ? 'secret' : 'open',
          body_format: 'TEXT',
          depth: 0,
          tags: { network: { static: { domain: [`${name}.example.com`] } }, file: { rule: { [name]: ['r1'] } } },
        },
      ],
    },
  };
}
