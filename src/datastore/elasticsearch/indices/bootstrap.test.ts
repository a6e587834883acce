import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CollectionDefinition } from '../../../documents/schema/collection-definition.ts';
import { bootstrapCollections } from '../../bootstrap/bootstrap-collections.ts';
import { withLifecycleAnswers } from '../../bootstrap/conformance/admin-with-lifecycle.ts';
import { bootstrapArea } from '../../bootstrap/conformance/bootstrap-area.ts';
import { lifecycleNames } from '../../bootstrap/lifecycle-settings.ts';
import { fill, series, thingDefinition } from '../../conformance/things.ts';
import { SILENT } from '../../port/datastore-logger.ts';
import { clusterSubjects } from '../conformance-subjects.ts';

/** Each renewal is a change of the cluster's state, which takes a second on a busy machine. */
const LOCK_TIMES = { renewEvery: 1000, patience: 4000, lookEvery: 250 };

for (const subject of clusterSubjects()) {
  describe(`bootstrap on ${subject.name}`, () => {
    bootstrapArea({
      ...subject,
      open: async () => withLifecycleAnswers(await subject.open()),
      hasLifecycle: true,
      documents: 12,
      // Each interruption costs seconds of waiting; the primitives are the same, so one server sees them all.
      stepsBetweenFaults: subject.name === 'OpenSearch' ? 6 : 12,
      movesOnly: true,
      lockTimes: LOCK_TIMES,
      // As in the program.
      settleTime: 6000,
    });

    it('refuses an index that has a field of another type', { skip: subject.unavailable }, async () => {
      const store = await subject.open();
      const { admin, capabilities } = store;
      try {
        const definition = thingDefinition() as CollectionDefinition<unknown>;
        const port = definition.fieldByPath.get('port');
        assert.ok(port);
        const others = definition.fields.filter(({ path }) => path !== 'port');
        const alias = `${admin.prefix}-${definition.name}`;
        const index = lifecycleNames(alias).legacy;
        const older = { ...definition, fields: [...others, { ...port, type: 'keyword' as const }] };
        await admin.create(index, older, { aliases: [{ name: alias }] });
        const ilm = { enabled: false, rollover_max_age: '30d', rollover_max_size: '50gb', indices: {} };
        const start = bootstrapCollections({ admin, capabilities, definitions: [definition], ilm, logger: SILENT });
        await assert.rejects(start, { code: 'field_mismatch', message: new RegExp(`${index}.*port.*reindex`) });
      } finally {
        await store.close();
      }
    });

    it('refuses a lifecycle that the server does not have, and changes nothing', {
      skip: subject.unavailable,
    }, async () => {
      const store = await subject.open();
      const { admin, capabilities } = store;
      try {
        const definition = thingDefinition();
        const alias = `${admin.prefix}-${definition.name}`;
        await fill(store.collection(definition), series(3));
        const before = await admin.list(`${alias}*`);
        const own = { enabled: true, warm: null, warm_forcemerge_segments: 3, cold: null };
        const start = bootstrapCollections({
          admin,
          capabilities,
          definitions: [definition as CollectionDefinition<unknown>],
          ilm: {
            enabled: true,
            rollover_max_age: '30d',
            rollover_max_size: '50gb',
            indices: { [definition.name]: own },
          },
          logger: SILENT,
        });
        await assert.rejects(start, {
          kind: 'unsupported',
          code: 'lifecycle_unsupported',
          message: /has no index lifecycle management.*SVC_DATASTORE_ILM_ENABLED/,
        });
        assert.deepEqual(await admin.list(`${alias}*`), before);
        assert.equal(before[0]?.name, lifecycleNames(alias).legacy);
      } finally {
        await store.close();
      }
    });
  });
}
