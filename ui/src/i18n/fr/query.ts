import type { TranslationOf } from '../messages.ts';

export const query: TranslationOf<typeof import('../en/query.ts').query> = {
  label: 'Requête',
  placeholder: 'Rechercher, par exemple howler.status:open AND source.ip:"10.0.0.0/8"',
  run: 'Rechercher',
  records_one: '{{count}} enregistrement',
  records_other: '{{count}} enregistrements',
  kinds: {
    field: 'champ',
    value: 'valeur',
    operator: 'opérateur',
    date: 'date',
    saved: 'vue',
    history: 'requête précédente',
  },
  problem: {
    unknownField: 'Aucun champ de recherche ne se nomme « {{field}} ».',
    didYouMean: 'Remplacer par {{name}}',
    more_one: 'et {{count}} autre problème',
    more_other: 'et {{count}} autres problèmes',
    tooLong:
      'Le texte collé compte {{length}} caractères et n’a pas été inséré. Une requête en accepte {{max}} au plus ; collez une partie plus courte.',
  },
};
