;;; formd-definition.el --- Definitions of forms, and the language server  -*- lexical-binding: t; -*-

;;; Commentary:

;; The mode of files NAME.form.json, and the entry by which eglot finds
;; "formctl lsp", the language server for definitions of forms, their tests
;; and data files.  Eglot is a part of Emacs from 29 on, and a package of GNU
;; ELPA before; nothing here needs it.

;;; Code:

(require 'js)
(require 'formd-connection)

(autoload 'formd-open-file "formd" nil t)
(defvar eglot-server-programs)

;;;; The mode

(defvar formd-definition-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "C-c C-c") #'formd-definition-open)
    map)
  "Keymap of definitions of forms.")

;;;###autoload
(define-derived-mode formd-definition-mode js-mode "Form definition"
  "Major mode for definitions of forms, which are JSON.
\\[formd-definition-open] opens the form with the current definition.

\\{formd-definition-mode-map}"
  (setq-local js-indent-level 2)
  (add-hook 'completion-at-point-functions #'formd-definition-complete -10 t))

;; The language id that eglot sends to the server.
(put 'formd-definition-mode 'eglot-language-id "json")

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.form\\.json\\'" . formd-definition-mode))

(defun formd-definition-open ()
  "Save the definition and open its form."
  (interactive)
  (save-buffer)
  (formd-open-file buffer-file-name))

;;;; The language server

(defvar formd-definition--syntax
  (let ((table (copy-syntax-table js-mode-syntax-table)))
    (modify-syntax-entry ?. "_" table)
    table)
  "Syntax in which a name has its dots, as in \"values.address\".")

(declare-function eglot-completion-at-point "eglot")
(declare-function eglot-managed-p "eglot")

(defun formd-definition-complete ()
  "Complete the name with dots at point by eglot; nil if there is none.
Eglot before Emacs 30 puts what is chosen behind the last dot, although the
server replaces the whole name.  What it completes without dots, such as a
function behind a dot, is left to eglot's own function."
  (when (and (fboundp 'eglot-managed-p) (eglot-managed-p))
    (let ((found (with-syntax-table formd-definition--syntax (eglot-completion-at-point))))
      (when (and found
                 (all-completions (buffer-substring-no-properties (car found) (cadr found))
                                  (nth 2 found)))
        found))))

(defun formd-definition-server (&optional _interactive)
  "Return the command line of the language server."
  (list formd-formctl-program "lsp"))

(defun formd-definition--set-eglot-modes (symbol modes)
  "Set SYMBOL, which is `formd-eglot-modes', to MODES, and tell eglot."
  (set-default symbol modes)
  (when (boundp 'eglot-server-programs)
    (setq eglot-server-programs
          (cons (cons modes #'formd-definition-server)
                (rassq-delete-all #'formd-definition-server eglot-server-programs)))))

(defcustom formd-eglot-modes '(formd-definition-mode)
  "The major modes whose files formd's language server serves, for eglot.
Other useful modes are js-json-mode, json-ts-mode, json-mode, yaml-mode and
yaml-ts-mode; files of these modes then have no other server."
  :type '(repeat symbol)
  :group 'formd
  :initialize #'custom-initialize-default
  :set #'formd-definition--set-eglot-modes)

;; When eglot is loaded, only this line of the installed package is.
;;;###autoload (with-eval-after-load 'eglot (require 'formd-definition))
(with-eval-after-load 'eglot
  (formd-definition--set-eglot-modes 'formd-eglot-modes formd-eglot-modes))

(provide 'formd-definition)
;;; formd-definition.el ends here
