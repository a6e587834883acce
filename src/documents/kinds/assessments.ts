/** Judgements that end the triage of an alert, harmless ones first. */
export const ASSESSMENTS = [
  'ambiguous',
  'security',
  'development',
  'false-positive',
  'legitimate',
  'trivial',
  'recon',
  'attempt',
  'compromise',
  'mitigated',
] as const;
export type Assessment = (typeof ASSESSMENTS)[number];

/** States of an alert or a case. */
export const STATUSES = ['open', 'in-progress', 'on-hold', 'resolved'] as const;
export type Status = (typeof STATUSES)[number];
