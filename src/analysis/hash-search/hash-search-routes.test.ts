import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { type AnalysisTestProgram, startAnalysisTestProgram } from '../../testing/analysis/analysis-program.ts';
import { aHeuristic, aResult, aSection, aSha256 } from '../../testing/analysis/result-builders.ts';
import { seedSubmission } from '../../testing/analysis/seeded-submission.ts';

let program: AnalysisTestProgram;
const asked: string[] = [];
const server = createServer((request, response) => {
  const { url = '' } = request;
  asked.push(url);
  const answer = (status: number, api_response: unknown) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ api_response }));
  if (url === '/tags/') answer(200, { sha256: 'TLP:CLEAR', ssdeep: 'TLP:CLEAR', md5: 'TLP:AMBER' });
  else if (url.includes(aSha256(9))) answer(404, '');
  else if (url.includes(aSha256(8))) response.destroy();
  else if (url.includes(aSha256(7))) return;
  else {
    const secret = { classification: 'TLP:AMBER', description: 'secret', confirmed: true, malicious: true, data: {} };
    answer(200, [{ ...secret, classification: 'TLP:CLEAR', description: 'open' }, secret]);
  }
});

before(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  program = await startAnalysisTestProgram({
    settings: {
      'analysis.outbound.allowed_networks': ['127.0.0.1/32'],
      'analysis.ui.external_sources': [
        { name: 'vt', url, classification: 'TLP:CLEAR', max_classification: 'TLP:GREEN' },
        { name: 'hidden', url, classification: 'TLP:AMBER' },
      ],
    },
  });
  await program.saveUser('ana', { classification: 'TLP:GREEN' });
  await program.saveUser('bob', { classification: 'TLP:AMBER' });
  const sections = [
    aSection({ heuristic: aHeuristic('A.1', 500) }),
    aSection({ classification: 'TLP:AMBER', heuristic: aHeuristic('A.2', 1500) }),
  ];
  await seedSubmission(program.store, {
    sid: 'one',
    files: [{ sha256: aSha256(1) }, { sha256: aSha256(2), classification: 'TLP:AMBER' }],
    results: [
      aResult({ service: 'Open', sections: [aSection({ heuristic: aHeuristic('O.1', 40) })] }),
      aResult({ service: 'Mixed', classification: 'TLP:AMBER', sections }),
    ],
  });
});
after(async () => {
  await program.close();
  server.closeAllConnections();
  server.close();
});

const look = async (uname: string, path: string) => {
  const { status, json } = await program.as(uname, `/api/v4/hash_search/${path}`);
  return { status, answer: json.api_response, message: json.api_error_message };
};

describe('looking up hashes', () => {
  it('finds files by each hash, in any case, with the scores that the caller may see', async () => {
    for (const hash of [aSha256(1), aSha256(1).toUpperCase(), aSha256(1).slice(0, 32), aSha256(1).slice(0, 40)]) {
      const { status, answer, message } = await look('bob', `${hash}/`);
      assert.deepEqual([status, message, Object.keys(answer)], [200, null, ['al', 'alert']], hash);
      const [item] = answer.al.items;
      assert.deepEqual(item.data.score_map, { Mixed: 2000, Open: 40 });
      assert.deepEqual([item.data.score, item.malicious, item.confirmed], [2040, true, true]);
    }
    const [seen] = (await look('ana', `${aSha256(1)}/`)).answer.al.items;
    assert.ok(!('Mixed' in seen.data.score_map) || seen.data.score_map.Mixed === 500);
    assert.ok(seen.data.score < 1000 && !seen.malicious);
    assert.deepEqual((await look('ana', `${aSha256(2)}/`)).answer.al.items, []);
  });

  it('names the external sources of the caller in the configuration for clients', async () => {
    const sourcesOf = async (uname: string) =>
      (await program.as(uname, '/api/v4/user/whoami/')).json.api_response.configuration.ui.external_sources;
    const open = { name: 'vt', max_classification: 'TLP:GREEN' };
    assert.deepEqual(await sourcesOf('ana'), [open]);
    assert.deepEqual(await sourcesOf('bob'), [open, { name: 'hidden', max_classification: 'TLP:AMBER' }]);
  });

  it('asks external sources that are named, and shows what the caller may see', async () => {
    const { answer } = await look('ana', `${aSha256(1)}/?db=al|x.vt|x.hidden&max_timeout=2`);
    assert.deepEqual(Object.keys(answer), ['al', 'x.vt']);
    assert.deepEqual(
      answer['x.vt'].items.map(({ description }: { description: string }) => description),
      ['open'],
    );
    assert.deepEqual((await look('ana', 'list_data_sources/')).answer, ['al', 'alert', 'x.vt']);
    assert.deepEqual((await look('bob', 'list_data_sources/')).answer, ['al', 'alert', 'x.hidden', 'x.vt']);
    const above = await look('bob', `${aSha256(1)}/?db=al|x.vt`);
    assert.match(above.answer['x.vt'].error, /exceeds max classification/);
  });

  it('tells of sources that fail, and of what they do not know', async () => {
    assert.equal((await look('ana', `${aSha256(9)}/?db=x.vt`)).status, 404);
    assert.equal((await look('ana', `${aSha256(9)}/?db=al|x.vt`)).answer['x.vt'].error, 'File hash not found.');
    assert.match((await look('ana', `${aSha256(8)}/?db=x.vt`)).answer['x.vt'].error, /did not answer/);
    assert.equal((await look('ana', `${aSha256(7)}/?db=x.vt&max_timeout=0.2`)).status, 200);
    const unsupported = await look('ana', `${aSha256(1).slice(0, 32)}/?db=x.vt`);
    assert.deepEqual([unsupported.status, unsupported.message], [422, 'Unsupported hash type.']);
    assert.ok(!asked.some((url) => url.includes('/details/md5/')));
  });

  it('refuses what is no hash, and sources that do not exist', async () => {
    assert.equal((await look('ana', 'xyz/')).status, 400);
    assert.equal((await look('ana', '3:abc:def/')).status, 422);
    for (const db of ['nope', 'x.none', '|'])
      assert.equal((await look('ana', `${aSha256(1)}/?db=${db}`)).status, 404, db);
    for (const timeout of ['x', '-1', '1e9', 'Infinity']) {
      assert.equal((await look('ana', `${aSha256(1)}/?max_timeout=${timeout}&limit=${timeout}`)).status, 200, timeout);
    }
  });
});

describe('federated look-ups', () => {
  it('list the tags of each source and ask for them', async () => {
    const tags = await program.as('ana', '/api/v4/federated_lookup/tags/');
    assert.deepEqual(tags.json.api_response, { vt: ['sha256', 'ssdeep'] });
    const path = `/api/v4/federated_lookup/enrich/sha256/${aSha256(1)}/`;
    const { json } = await program.as('ana', path);
    assert.equal(json.api_response.vt.items.length, 1);
    assert.deepEqual((await program.as('ana', `${path}?sources=other`)).json.api_response, {});
  });
});
