import type { ClassificationEngine } from '../../classification/classification.ts';
import type { FileRecord } from '../../documents/kinds/analysis/file.ts';
import type { Result } from '../../documents/kinds/analysis/result.ts';
import { storedTags } from '../results/section-tags.ts';

export type LabelCategory = 'info' | 'technique' | 'attribution';
export type Labels = Readonly<Record<LabelCategory, readonly string[]>>;

/** Categories of labels, in the order of answers. */
export const LABEL_CATEGORIES = ['attribution', 'technique', 'info'] as const;
/** Labels of one category that a file gets by itself. */
const MAX_LABELS = 100;

/**
 * Returns the labels that the tags of a file give it.
 * Tags of sections above the file give none, because every user who sees a file sees its labels.
 */
export function automaticLabels(
  file: Pick<FileRecord, 'classification'>,
  results: readonly Result[],
  { iocTypes, classification }: { readonly iocTypes: readonly string[]; readonly classification: ClassificationEngine },
): Labels {
  const sees = (marking: string) => classification.isAccessible(file.classification, marking, true);
  const labels = { attribution: new Set<string>(), technique: new Set<string>(), info: new Set<string>() };
  for (const result of results) {
    if (!sees(result.classification)) continue;
    const sections = result.result.sections.filter((one) => sees(one.classification));
    for (const { type, value } of storedTags({ ...result, result: { ...result.result, sections } })) {
      if (type.startsWith('attribution.')) labels.attribution.add(value);
      if (type.startsWith('technique.')) labels.technique.add(type.slice(type.lastIndexOf('.') + 1));
      if (iocTypes.includes(type)) labels.info.add('ioc');
      if (type === 'info.password') labels.info.add('password');
    }
  }
  const listed = (values: ReadonlySet<string>) => [...values].slice(0, MAX_LABELS);
  return {
    attribution: listed(labels.attribution),
    technique: listed(labels.technique),
    info: listed(labels.info),
  };
}

/** Returns a file with further labels; those that it has stay. */
export function withLabels(file: FileRecord, added: Labels): FileRecord {
  const union = (present: readonly string[], more: readonly string[]) => [...new Set([...present, ...more])];
  const { label_categories: categories } = file;
  return {
    ...file,
    labels: union(file.labels, Object.values(added).flat()),
    label_categories: {
      info: union(categories.info, added.info),
      technique: union(categories.technique, added.technique),
      attribution: union(categories.attribution, added.attribution),
    },
  };
}
