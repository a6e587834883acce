import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { forecastOf } from './dry-run.ts';

const LABEL = {
  id: 'add_label',
  title: 'Add Label',
  description: { short: '', long: '' },
  roles: ['automation_basic'],
  steps: [
    { args: { category: [], label: [] }, options: {}, validation: { warn: { query: 'labels.$category:$label' } } },
  ],
  triggers: [],
};

describe('a dry run', () => {
  const counts = async (_query: string, filters: readonly string[]) => (filters.length === 0 ? 12 : 5);

  it('counts the alerts of the query and those that validation queries find', async () => {
    const operations = [{ id: 'add_label', given: { category: 'generic', label: 'vpn' } }];
    const forecast = await forecastOf('a:b', operations, [LABEL], counts, ['automation_basic']);
    assert.deepEqual(forecast, {
      query: 'a:b',
      matches: 12,
      operations: [
        {
          id: 'add_label',
          wouldChange: 7,
          findings: [{ kind: 'warn', query: 'labels.generic:vpn', count: 5 }],
          empty: [],
          isKnown: true,
          isAllowed: true,
          exceeded: undefined,
        },
      ],
    });
  });

  it('says above how many alerts the roles of the person do not run it', async () => {
    const limited = { ...LABEL, description: { ...LABEL.description, limit: { basic: 11, advanced: 12 } } };
    const operations = [{ id: 'add_label', given: {} }];
    const forecastFor = async (role: string) =>
      (await forecastOf('a:b', operations, [limited], counts, ['automation_basic', role])).operations[0];
    const basic = await forecastFor('user');
    assert.deepEqual([basic?.exceeded, basic?.wouldChange], [11, 0]);
    const advanced = await forecastFor('automation_advanced');
    assert.deepEqual([advanced?.exceeded, advanced?.wouldChange], [undefined, 12]);
    // Five alerts do not have the status, and are not asked about.
    const steps = [{ args: { status: [] }, options: {}, validation: { error: { query: '-status:$status' } } }];
    const transition = { ...limited, steps };
    const given = [{ id: 'add_label', given: { status: 'open' } }];
    const { operations: found } = await forecastOf('a:b', given, [transition], counts, ['automation_basic']);
    assert.deepEqual([found[0]?.exceeded, found[0]?.wouldChange], [undefined, 7]);
  });

  it('says what is empty, not known and not allowed', async () => {
    const operations = [
      { id: 'add_label', given: { category: 'generic' } },
      { id: 'other', given: {} },
    ];
    const { operations: found } = await forecastOf('a:b', operations, [LABEL], counts, ['user']);
    assert.deepEqual(
      found.map(({ wouldChange, empty, isKnown, isAllowed }) => ({ wouldChange, empty, isKnown, isAllowed })),
      [
        { wouldChange: 0, empty: ['label'], isKnown: true, isAllowed: false },
        { wouldChange: 0, empty: [], isKnown: false, isAllowed: false },
      ],
    );
  });
});
