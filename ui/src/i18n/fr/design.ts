import type { design as english } from '../en/design.ts';
import type { TranslationOf } from '../messages.ts';

export const design: TranslationOf<typeof english> = {
  showPassword: 'Afficher le mot de passe',
  noOptions: 'Aucune correspondance.',
  newOption: 'nouveau',
  remove: 'Retirer {{value}}',
  clear: 'Effacer',
  openList: 'Afficher la liste',
  notifications: 'Notifications',
  errorId: 'Identifiant d’erreur',
  copyErrorId: 'Copier l’identifiant d’erreur',
  paneFailed: 'Cette partie de la page a échoué.',
  paneSize: 'Taille de {{name}}',
  moreOptions_one: '{{count}} de plus. Saisissez du texte pour réduire la liste.',
  moreOptions_other: '{{count}} de plus. Saisissez du texte pour réduire la liste.',
  keyNames: {
    Ctrl: 'Ctrl',
    Alt: 'Alt',
    Shift: 'Maj',
    Enter: 'Entrée',
    Escape: 'Échap',
    Space: 'Espace',
    Tab: 'Tab',
    Home: 'Début',
    End: 'Fin',
    PageUp: 'Page préc.',
    PageDown: 'Page suiv.',
    Delete: 'Suppr',
    Backspace: 'Retour arr.',
  },
};
