import type { conflict as english } from '../en/conflict.ts';
import type { TranslationOf } from '../messages.ts';

export const conflict: TranslationOf<typeof english> = {
  text: 'Votre modification n’a pas été écrite. Décidez laquelle compte.',
  theirs: 'Sa version',
  yours: 'Votre version',
  keep: 'Garder la sienne',
  apply: 'Écrire la mienne',
  kept: 'Rien n’a été enregistré : une autre personne a modifié cet élément entre-temps. Votre saisie est toujours là.',
};
