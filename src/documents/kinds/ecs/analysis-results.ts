import { group, keyword } from '../../schema/field-builders.ts';

const finding = group('ALRecord', 'Finding of the file analysis.', {
  type: keyword('Kind of finding.').optional(),
  subtype: keyword('Finer kind of finding.').optional(),
  value: keyword('What was found.').optional(),
  verdict: keyword('How bad it is.').optional(),
});

const mitre = group('Mitre', 'Findings in the terms of MITRE ATT&CK.', {
  tactic: finding.list().default([]),
  technique: finding.list().default([]),
});

export const fileAnalysis = group('AssemblyLine', 'What the file analysis found.', {
  antivirus: finding.list().default([]),
  attribution: finding.list().default([]),
  behaviour: finding.list().default([]),
  domain: finding.list().default([]),
  heuristic: finding.list().default([]),
  mitre: mitre.default({ tactic: [], technique: [] }).optional(),
  uri: finding.list().default([]),
  yara: finding.list().default([]),
});
