import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Alert } from '../triage/alert.ts';
import { dossierLeads } from './dossier-leads.ts';

const lead = (content: string, format = 'markdown') => ({ label: { en: 'Look', fr: 'Voir' }, format, content });

const contentsOf = (own: readonly object[] | undefined, ...dossiers: readonly (readonly object[] | undefined)[]) => {
  const __dossiers = dossiers.map((leads) => ({ leads }));
  const alert = { howler: { dossier: own }, __dossiers } as unknown as Alert;
  return dossierLeads(alert).map(({ content }) => content);
};

describe('the leads of an alert', () => {
  it('are its own, and then those of its dossiers, each once', () => {
    const leads = [lead('second'), lead('first'), lead('plugin', 'custom')];
    assert.deepEqual(contentsOf([lead('first')], leads, leads), ['first', 'second', 'plugin']);
  });

  it('leave out the links of dossiers, which the overview has', () => {
    assert.deepEqual(contentsOf([lead('https://a.example/', 'link')], [lead('https://b.example/', 'link')]), [
      'https://a.example/',
    ]);
  });

  it('are none where the service leaves empty lists out', () => {
    assert.deepEqual(contentsOf(undefined, undefined), []);
    assert.deepEqual(dossierLeads({ howler: {} } as unknown as Alert), []);
  });
});
