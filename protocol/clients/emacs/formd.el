;;; formd.el --- Fill in forms of a formd daemon  -*- lexical-binding: t; -*-

;; Author: The formd authors
;; Maintainer: The formd authors
;; Version: 0.1.0
;; Package-Requires: ((emacs "28.2"))
;; Keywords: convenience, data, tools

;;; Commentary:

;; formd is a daemon that keeps live forms: it says, while one types, what is
;; wrong, which choices there are, what is computed, and what came of a tap.
;; This package draws its forms in Emacs.
;;
;;     M-x formd RET invoice RET         a form of the daemon
;;     M-x formd-open-file RET           a form in a file NAME.form.json
;;     M-x formd-attach RET              a draft: a form that outlived Emacs
;;
;; If no daemon runs, Emacs starts one.  In a form, C-h m lists the keys, and
;; the menu "Form" has all commands.  M-x customize-group RET formd has the
;; settings.
;;
;; From Lisp, `formd' takes the name of a form, and `formd-open' also a
;; language and values to begin with.
;;
;; Files NAME.form.json open in `formd-definition-mode', where C-c C-c opens
;; the form.  M-x eglot starts formd's language server there; for data files
;; see `formd-eglot-modes'.
;;
;; The files; each uses only the files before it:
;;
;;     formd-document.el     JSON, addresses, documents, values
;;     formd-connection.el   the socket, requests, coming back
;;     formd-drafts.el       files that note the drafts
;;     formd-session.el      a form that is open: what goes out, what comes in
;;     formd-layout.el       which parts a form has on the screen
;;     formd-widgets.el      fields and buttons
;;     formd-draw.el         the parts in a buffer
;;     formd-commands.el     what buttons and keys do
;;     formd-mode.el         the mode: keys, following the user and the daemon
;;     formd.el              the commands that open forms
;;     formd-definition.el   definitions: their mode, and the entry of eglot

;;; Code:

(require 'formd-mode)

(defcustom formd-locale nil
  "The language of forms, such as \"en\" or \"ko\", or nil.
If it is nil, the language is that of the environment (LC_ALL, LC_MESSAGES or
LANG), else the form's own."
  :type '(choice (const :tag "The language of the environment" nil) string)
  :group 'formd)

(defcustom formd-keep nil
  "How long the daemon keeps a form that nobody shows, such as \"1h\", or nil.
Such a form is a draft: `formd-attach' opens it again when its buffer was
killed, and when Emacs has crashed.  If it is nil, a form ends with its buffer."
  :type '(choice (const :tag "A form ends with its buffer" nil) string)
  :group 'formd)

(defvar formd-history nil
  "The forms that `formd' opened.")

(defconst formd-titles-max 50
  "For how many forms Emacs asks for the titles while the user chooses.
The daemon accepts 64 requests at once from a client.")

;;;; Opening forms

(defmacro formd--reporting (&rest body)
  "Evaluate BODY, and show errors of the daemon with advice."
  (declare (indent 0) (debug t))
  `(formd--call-reporting (lambda () ,@body)))

;;;###autoload
(defun formd (form &optional locale keep)
  "Open FORM, the name of a form that the daemon serves, in a buffer.
FORM may also be a file with the definition of a form.  LOCALE is the language
of its texts, by default `formd-locale'.  KEEP is how long the daemon keeps the
form that nobody shows, by default `formd-keep'.  With a prefix argument, Emacs
asks for both, first how long."
  (interactive
   (formd--reporting
    (cons (formd-read-name) (formd--read-options))))
  (if (formd--file-name-p form)
      (formd-open-file form locale keep)
    (pop-to-buffer-same-window (formd-open form locale nil keep))))

(defun formd--read-options ()
  "Return the language and the duration that the user wants, or nil for none."
  (when current-prefix-arg
    (let ((keep (read-string "Keep as a draft for (such as 1h): " formd-keep))
          (locale (read-string "Language (such as en or ko): ")))
      (mapcar (lambda (text) (unless (string-empty-p text) text))
              (list locale keep)))))

;;;###autoload
(defun formd-attach (key)
  "Go on with the draft that KEY opens: a form that the daemon has kept.
Interactively, choose one of the drafts.  The newest is the default."
  (interactive (list (formd--read-draft)))
  (let ((shown (cl-find key formd-mode--buffers
                        :key (lambda (buffer)
                               (formd-session-key (buffer-local-value 'formd-session buffer)))
                        :test #'equal)))
    (pop-to-buffer-same-window
     (or shown
         (let ((draft (alist-get key (formd-drafts-all (formd-socket-path)) nil nil #'equal)))
           (condition-case problem
               (formd--reporting
                 (formd-mode-show (formd-connection) nil nil (formd-get draft "keep") key))
             (user-error
              (when (string-search "no such draft" (error-message-string problem))
                (formd-drafts-forget key))
              (signal (car problem) (cdr problem)))))))))

(defun formd--read-draft ()
  "Read a draft in the minibuffer, with completion, and return its key."
  (let* ((drafts (or (formd-drafts-all (formd-socket-path))
                     (user-error "There is no draft here; see the variable `formd-keep'")))
         (names (mapcar (lambda (draft)
                          (cons (format "%s  %s" (formd-get (cdr draft) "title")
                                        (format-time-string "%Y-%m-%d %H:%M:%S"
                                                            (formd-get (cdr draft) "at")))
                                (car draft)))
                        drafts))
         (name (completing-read (format-prompt "Draft" (caar names))
                                (formd-commands--in-order (mapcar #'car names))
                                nil t nil nil (caar names))))
    (cdr (assoc name names))))

;;;###autoload
(defun formd-open-file (file &optional locale keep)
  "Open the form whose definition is in FILE, in a buffer.
The daemon compiles it for this buffer alone.  LOCALE and KEEP are as for
`formd'."
  (interactive
   (cons (read-file-name "Definition of a form: " nil
                         (and buffer-file-name
                              (string-suffix-p ".form.json" buffer-file-name)
                              buffer-file-name)
                         t)
         (formd--read-options)))
  (let ((file (expand-file-name file)))
    (pop-to-buffer-same-window
     (formd--reporting
      (condition-case problem
          (formd-mode-show (formd-connection)
                           (formd-object "definition" (formd--read-definition file))
                           (formd--locale locale) (or keep formd-keep))
        (formd-refused
         (let ((faults (formd-list (nth 2 problem) "data" "errors")))
           (if (null faults)
               (signal (car problem) (cdr problem))
             (formd--show-faults file faults)
             (user-error "%s is not a valid form: %d fault%s, listed beside"
                         (file-name-nondirectory file) (length faults)
                         (if (cdr faults) "s" ""))))))))))

(defun formd-open (form &optional locale values keep)
  "Open FORM, a name, in a buffer, and return the buffer without showing it.
LOCALE and KEEP are as for `formd'.  VALUES, if non-nil, are the initial
values: an object as `formd-object' makes it, or a text of JSON."
  (formd--reporting
   (formd-mode-show (formd-connection)
                    (formd-object "form" form
                                  "values" (if (stringp values) (formd-json-parse values)
                                             values))
                    (formd--locale locale) (or keep formd-keep))))

(defun formd--locale (locale)
  "Return LOCALE, or else the language of forms by default, or nil."
  (or locale formd-locale
      (let ((name (or (formd-connection-environment "LC_ALL")
                      (formd-connection-environment "LC_MESSAGES")
                      (formd-connection-environment "LANG"))))
        (and name (string-match "\\`\\([A-Za-z]\\{2,3\\}\\)\\(?:[_-]\\([A-Za-z]+\\)\\)?\\(?:[.@]\\|\\'\\)"
                                name)
             (if (match-string 2 name)
                 (concat (match-string 1 name) "-" (match-string 2 name))
               (match-string 1 name))))))

(defun formd--file-name-p (form)
  "Return non-nil if FORM, a typed text, is the name of a file."
  (or (string-suffix-p ".json" form) (file-name-directory form)))

;;;; Choosing a form

(defun formd-read-name ()
  "Read the name of a form in the minibuffer, with completion.
The names are those of the daemon's forms, beside each its title."
  (let* ((connection (formd-connection))
         (names (mapcar (lambda (form) (formd-get form "form"))
                        (formd-list (formd-connection-call connection "form/list"
                                                           (formd-object))
                                    "forms")))
         (titles (formd--titles connection names))
         (width (apply #'max 0 (mapcar #'string-width names))))
    (completing-read
     (format-prompt "Form, or file with a definition" nil)
     (lambda (text predicate action)
       (if (eq action 'metadata)
           `(metadata (category . formd-form)
                      (annotation-function
                       . ,(lambda (name)
                            (when-let* ((title (gethash name titles)))
                              (concat (make-string (- (+ width 3) (string-width name)) ?\s)
                                      (propertize title 'face 'completions-annotations))))))
         (complete-with-action action names text predicate)))
     nil nil nil 'formd-history)))

(defun formd--titles (connection names)
  "Return a table of the titles of the forms NAMES, asked for on CONNECTION."
  (let* ((titles (make-hash-table :test #'equal))
         (asked (seq-take names formd-titles-max))
         (missing (length asked))
         (locale (formd--locale nil)))
    (dolist (name asked)
      (formd-connection-send connection "form/describe"
                             (formd-object "form" name "locale" locale)
                             (lambda (description)
                               (cl-decf missing)
                               (when (formd-get description "title")
                                 (puthash name (formd-get description "title") titles)))
                             (lambda (_problem) (cl-decf missing))))
    (formd-connection-await (lambda () (zerop missing)) "form/describe")
    titles))

;;;; Troubles

(defun formd--call-reporting (function)
  "Call FUNCTION, and show errors of the daemon with advice."
  (condition-case problem
      (unwind-protect (funcall function)
        ;; Close a connection that was used only for names, or for a form that
        ;; was refused.
        (formd-connection-close-unused))
    (formd-no-daemon (user-error "No formd daemon: %s" (cadr problem)))
    (formd-refused (user-error "%s" (formd--refusal (nth 2 problem))))
    (formd-error (user-error "The formd daemon: %s" (cadr problem)))))

(defun formd--refusal (problem)
  "Return the message about PROBLEM, which kept a form from being opened."
  (let ((data (formd-get problem "data")))
    (pcase (formd-get problem "code")
      (1001 "There is no such draft: it has expired, was sent, or was lost with its daemon")
      (1003
        (format "There is no form %s; %s" (formd-get data "form")
                (if (formd-get data "closest")
                    (format "did you mean %s?" (formd-get data "closest"))
                  "M-x formd completes the names of the forms")))
      (_ (formd-mode-refusal problem)))))

(defun formd--read-definition (file)
  "Return the definition in FILE, or signal the place where it is not JSON."
  (with-temp-buffer
    (insert-file-contents file)
    (condition-case problem
        (formd-json-parse (buffer-string))
      (error
       (pcase problem
         (`(,_ ,what ,_ ,(and line (pred integerp)) ,(and column (pred integerp)) . ,_)
          (user-error "%s:%d:%d: not JSON: %s" file line column what))
         (_ (user-error "%s: not JSON: %s" file (error-message-string problem))))))))

(defun formd--show-faults (file faults)
  "List FAULTS of the definition in FILE in a buffer, each with its place.
The places are from \"formctl check\"; without it they are JSON Pointers."
  (let ((checked (and (executable-find formd-formctl-program)
                      (with-temp-buffer
                        (call-process formd-formctl-program nil t nil "check" file)
                        (buffer-string)))))
    (with-current-buffer (get-buffer-create "*form faults*")
      (let ((inhibit-read-only t))
        (erase-buffer)
        (insert (if (and checked (string-search (concat file ":") checked))
                    checked
                  (mapconcat (lambda (fault)
                               (format "%s: %s: %s" file
                                       (string-remove-prefix "/definition"
                                                             (formd-get fault "path"))
                                       (string-join
                                        (delq nil (list (formd-get fault "message")
                                                        (formd-get fault "expected")))
                                        "; ")))
                             faults "\n")))
        (compilation-mode)
        (goto-char (point-min)))
      (display-buffer (current-buffer)))))

(declare-function compilation-mode "compile")

(provide 'formd)
;;; formd.el ends here
