import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DEFAULT_CLASSIFICATION } from '../../../../classification/builtin-definitions.ts';
import { loadClassification } from '../../../../classification/classification.ts';
import { startScriptedServer } from '../../../../testing/servers/scripted-server.ts';
import { AdapterSource } from '../../adapter-source.ts';
import { misp } from './misp.ts';

const FLAGS = { limit: 10, maxTimeout: 5, noAnnotation: false, includeRaw: false, noCache: false };

describe('adapter misp', () => {
  it('classifies attributes by the highest of their TLP tags and the source', async (context) => {
    const engine = loadClassification(DEFAULT_CLASSIFICATION.replace(/enforce: false/, 'enforce: true'));
    assert.equal(engine.enforce, true);
    const attribute = (attributeTags: readonly string[], eventTags: readonly string[]) => ({
      ...{ event_id: '7', type: 'domain', value: 'example.org', to_ids: true },
      Tag: attributeTags.map((name) => ({ name })),
      Event: { info: 'x', Tag: eventTags.map((name) => ({ name })) },
    });
    const Attribute = [
      attribute([], []),
      attribute(['tlp:green'], ['tlp:amber']),
      attribute(['TLP:AMBER+STRICT'], ['tlp:clear']),
      attribute(['tlp:purple', 'type:OSINT'], []),
    ];
    await using server = await startScriptedServer(() => ({ body: { response: { Attribute } } }));
    const source = new AdapterSource({
      ...{ adapter: misp, name: 'misp', url: server.url, key: 'k', servers: [], engine },
      classification: engine.normalise('TLP:CLEAR'),
    });
    context.after(() => source.close());
    const call = {
      deadline: Date.now() + 10_000,
      signal: new AbortController().signal,
      caller: { username: 'goose', classification: '' },
    };
    const asked = [{ type: 'domain', value: 'example.org', classification: '' }];
    const answer = (await source.lookup(asked, FLAGS, call)) as Record<string, Record<string, { items: unknown[] }>>;
    assert.deepEqual(
      answer.domain?.['example.org']?.items.map((item) => (item as { classification: string }).classification),
      ['TLP:CLEAR', 'TLP:AMBER', 'TLP:AMBER+STRICT', 'TLP:CLEAR'],
    );
  });
});
