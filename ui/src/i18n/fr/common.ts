import type { common as english } from '../en/common.ts';
import type { TranslationOf } from '../messages.ts';

export const common: TranslationOf<typeof english> = {
  cancel: 'Annuler',
  close: 'Fermer',
  save: 'Enregistrer',
  create: 'Créer',
  delete: 'Supprimer',
  edit: 'Modifier',
  copy: 'Copier',
  copied: 'Copié',
  retry: 'Réessayer',
  more: 'Plus',
  showAll: 'Tout afficher',
  showLess: 'Afficher moins',
  loading: 'Chargement …',
  none: 'Aucun',
  yes: 'Oui',
  no: 'Non',
  undo: 'Annuler l’action',
  search: 'Rechercher',
  name: 'Nom',
  optional: 'facultatif',
  draft: 'Vous avez saisi ceci plus tôt ; ce n’est pas encore enregistré.',
  discardDraft: 'Abandonner',
  required: 'Ce champ est obligatoire.',
};
