import type { ClassificationEngine } from '../../classification/classification.ts';
import { type AnalysisAlert, alertDocument } from '../../documents/kinds/analysis/alert.ts';
import { stampAccess } from '../../documents/schema/output.ts';
import { readDocument } from '../../documents/schema/read-document.ts';

/** For tests: an alert of the analysis service, with these members beside the mandatory ones. */
export function anAnalysisAlert(
  classification: ClassificationEngine,
  id: string,
  members: Readonly<Record<string, unknown>> = {},
): AnalysisAlert {
  const hashes = { md5: 'ab'.repeat(16), sha1: 'ab'.repeat(20), sha256: 'ab'.repeat(32) };
  const input = {
    alert_id: id,
    al: { score: 500, detailed: { av: [] }, request_end_time: '2026-01-02T03:04:05.000000Z' },
    attack: { pattern: [] },
    classification: classification.unrestricted,
    extended_scan: 'skipped',
    file: { ...hashes, name: 'a.exe', size: 1, type: 'unknown' },
    heuristic: { name: [] },
    reporting_ts: '2026-01-02T03:00:00.000000Z',
    sid: id,
    submission_relations: [{ child: id }],
    ts: '2026-01-02T02:00:00.000000Z',
    type: 'USER',
    ...members,
  };
  const { document } = readDocument(alertDocument, input, { unknown: 'refuse', classification });
  return stampAccess(alertDocument, document, (text) => classification.accessParts(text));
}
