import type { Collection } from '../datastore/port/collection.ts';
import { type Analytic, analyticDocument } from '../documents/kinds/analytic.ts';
import type { Hit } from '../documents/kinds/hit.ts';
import { readDocument } from '../documents/schema/read-document.ts';
import { ANALYTIC_TEXTS, type AnalyticText } from './analytic-texts.ts';
import type { DemoRandom } from './demo-random.ts';
import { saveAll } from './save-all.ts';

export interface DemoAnalyticDependencies {
  analytics: Collection<Analytic>;
  hits: readonly Hit[];
  now: Date;
  random: DemoRandom;
}

const DAY = 86_400_000;

/** Writes the analytics of the alerts, and returns them. */
export async function createDemoAnalytics({
  analytics,
  hits,
  now,
  random,
}: DemoAnalyticDependencies): Promise<readonly Analytic[]> {
  const documents = ANALYTIC_TEXTS.map((text) => analytic(text, hits, now, random));
  await saveAll(analytics, documents, (document) => document.analytic_id);
  return documents;
}

function analytic(text: AnalyticText, hits: readonly Hit[], now: Date, random: DemoRandom): Analytic {
  const own = hits.filter((hit) => hit.howler.analytic === text.name);
  const detections = new Set(own.flatMap((hit) => hit.howler.detection ?? []));
  const { rule, validAssessments } = text;
  return readDocument(
    analyticDocument,
    {
      analytic_id: random.id(),
      name: text.name,
      owner: text.owner,
      contributors: [...new Set([text.owner, 'admin', ...text.comments.map((comment) => comment.user)])],
      description: text.description,
      detections: [...detections].sort(),
      comment: text.comments.map(({ user, value, detection }) => {
        const written = new Date(now.getTime() - random.integer(1, 25) * DAY).toISOString();
        return { id: random.id(), user, value, detection, timestamp: written, modified: written };
      }),
      triage_settings: {
        rationales: text.rationales,
        ...(validAssessments === undefined ? {} : { valid_assessments: validAssessments }),
      },
      ...(rule === undefined ? {} : { rule, rule_type: 'lucene', rule_crontab: '*/15 * * * *' }),
    },
    { unknown: 'refuse', now },
  ).document;
}
