import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openEmbeddedCoordination } from '../../coordination/embedded/embedded-coordination.ts';
import type { Service } from '../../documents/kinds/analysis/service.ts';
import { ServiceOverview } from './service-overview.ts';

const aService = (name: string, enabled: boolean, image: string) =>
  ({ name, version: '1', enabled, stage: 'CORE', category: 'Static Analysis', docker_config: { image } }) as Service;

describe('ServiceOverview', () => {
  it('shows state, origin and what waits for each service', async (context) => {
    const now = Date.now() + 10_000;
    const coordination = await openEmbeddedCoordination({ folder: 'memory' });
    context.after(() => coordination.close());
    const { queues } = coordination;
    await queues.push('service:Mini', [{ a: 1 }, { a: 2 }], { priority: 5 });
    await queues.push('service:Mini', [{ a: 3 }], { priority: 900 });
    await queues.push('service:Gone', [{ a: 1 }]);
    const overview = new ServiceOverview({
      registry: {
        all: async () => [
          aService('Off', false, 'x'),
          aService('Mini', true, 'x'),
          aService('Extract', true, 'triad/built-in'),
        ],
      },
      queues,
      lastPolls: async () =>
        new Map([
          ['Mini', now - 90_000],
          ['Extract', now - 5000],
        ]),
      now: () => now,
    });
    const states = await overview.states();
    assert.deepEqual(
      states.map(({ name, state, origin, waiting, polled }) => [name, state, origin, waiting, polled]),
      [
        ['Extract', 'working', 'built-in', 0, 5],
        ['Gone', 'unknown', '', 1, undefined],
        ['Mini', 'idle', 'protocol', 3, 90],
        ['Off', 'disabled', 'protocol', 0, undefined],
      ],
    );
    assert.deepEqual(Object.fromEntries(await overview.lengths()), { Extract: 0, Mini: 3, Off: 0 });
    const ages = await overview.ages();
    assert.ok(Math.abs((ages.get('Mini') ?? 0) - 10) < 5, String(ages.get('Mini')));
    assert.equal(ages.get('Extract'), 0);
  });
});
