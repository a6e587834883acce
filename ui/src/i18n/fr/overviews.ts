import type { overviews as english } from '../en/overviews.ts';
import type { TranslationOf } from '../messages.ts';

export const overviews: TranslationOf<typeof english> = {
  title: 'Résumés',
  create: 'Nouveau résumé',
  empty: 'Un résumé présente en texte les alertes d’une analytique.',
  content: 'Markdown avec Handlebars',
  contentHint: 'Un champ entre deux accolades représente sa valeur.',
  deleteText_one: '{{count}} alerte utilise ce résumé ; le résumé suivant qui convient s’applique, s’il existe.',
  deleteText_other: '{{count}} alertes utilisent ce résumé ; le résumé suivant qui convient s’applique, s’il existe.',
};
