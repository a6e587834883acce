import type { templates as english } from '../en/templates.ts';
import type { TranslationOf } from '../messages.ts';

export const templates: TranslationOf<typeof english> = {
  title: 'Modèles',
  create: 'Nouveau modèle',
  empty: 'Un modèle dit quels champs des alertes d’une analytique viennent en premier.',
  keys: 'Champs',
  add: 'Ajouter un champ',
  up: 'Monter {{key}}',
  down: 'Descendre {{key}}',
  remove: 'Retirer {{key}}',
  absent: 'Absent de cette alerte',
  notDeletable: 'Seuls les administrateurs suppriment un modèle pour tous.',
  deleteText_one: '{{count}} alerte utilise ce modèle ; le modèle suivant qui convient s’applique, s’il existe.',
  deleteText_other: '{{count}} alertes utilisent ce modèle ; le modèle suivant qui convient s’applique, s’il existe.',
};
