import { defineDocument } from '../schema/document-definition.ts';
import { classification, date, group, integer, keyword, mapping, text } from '../schema/field-builders.ts';

const statistics = group('Statistics', 'How often it was hit, and with which scores.', {
  count: integer('How often it was hit.').default(0),
  min: integer('Lowest score of a hit.').default(0),
  max: integer('Highest score of a hit.').default(0),
  avg: integer('Average score of the hits.').default(0),
  sum: integer('Sum of the scores of the hits.').default(0),
  first_hit: date('When it was hit first.').optional(),
  last_hit: date('When it was hit last.').optional(),
});

export const heuristicDocument = defineDocument({
  name: 'heuristic',
  title: 'Heuristic',
  description: 'Something that a service looks for in files.',
  idField: 'heur_id',
  classificationField: 'classification',
  defaultSort: [{ field: 'heur_id', order: 'asc' }],
  fields: {
    attack_id: keyword('Identifiers of ATT&CK.').list().default([]).copyToText(),
    classification: classification('Who may see it.'),
    description: text('What it is, for people.').copyToText(),
    filetype: keyword('Expression of the file types that it is for.').copyToText(),
    heur_id: keyword('Identifier of the heuristic.').copyToText(),
    name: keyword('Name.').copyToText(),
    score: integer('Score when no signature has one of its own.'),
    signature_score_map: mapping('Scores of signatures by their names.', integer('Score of a signature.')).default({}),
    stats: statistics.default({}),
    max_score: integer('Highest score that it gives.').optional(),
  },
});

export type Heuristic = typeof heuristicDocument.Type;
