import { defineDocument } from '../../schema/document-definition.ts';
import { classification, integer, keyword, mapping, text } from '../../schema/field-builders.ts';
import { statistics } from './parts.ts';

export const heuristicDocument = defineDocument({
  name: 'heuristic',
  title: 'Heuristic',
  description: 'Something that a service looks for in files.',
  idField: 'heur_id',
  classificationField: 'classification',
  defaultSort: [{ field: 'heur_id', order: 'asc' }],
  takesSingleValues: true,
  identifierInText: true,
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
