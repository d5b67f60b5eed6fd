;;; formd-drafts.el --- Forms that outlive Emacs  -*- lexical-binding: t; -*-

;;; Commentary:

;; A draft is a form that the daemon keeps when no client has it.  Each draft
;; is a file of the user, which is named for the session's key.  The plugins
;; for Neovim and Vim write the same files (protocol/editors.md, Drafts).

;;; Code:

(require 'formd-connection)

(defun formd-drafts--folder ()
  "Return the folder of the drafts."
  (expand-file-name "formd/drafts/"
                    (or (formd-connection-environment "XDG_STATE_HOME") "~/.local/state")))

(defun formd-drafts--file (key)
  "Return the file of the draft with KEY."
  (expand-file-name (concat key ".json") (formd-drafts--folder)))

(defun formd-drafts-note (key form title keep path)
  "Note the draft with KEY, of FORM with TITLE.
The daemon at PATH retains it for KEEP.  The key opens the
session, so only the user may read the file."
  (condition-case problem
      (with-file-modes #o700
        (make-directory (formd-drafts--folder) t)
        (with-file-modes #o600
          (write-region (formd-json-encode
                         (formd-object "form" form "title" title "keep" keep "socket" path
                                       "at" (floor (float-time))))
                        nil (formd-drafts--file key) nil 'silent)))
    (file-error (message "The draft could not be noted (%s); its key is %s"
                         (error-message-string problem) key))))

(defun formd-drafts-forget (key)
  "Forget the draft with KEY."
  (ignore-errors (delete-file (formd-drafts--file key))))

(defun formd-drafts-all (path)
  "Return the drafts of the daemon at PATH, the newest first: (KEY . DRAFT) each."
  (sort (delq nil
              (mapcar (lambda (file)
                        ;; Another program's file, or one that is being written.
                        (when-let* ((draft (ignore-errors
                                            (with-temp-buffer
                                              (insert-file-contents file)
                                              (formd-json-parse (buffer-string))))))
                          (when (equal path (formd-get draft "socket"))
                            (cons (file-name-base file) draft))))
                      (and (file-directory-p (formd-drafts--folder))
                           (directory-files (formd-drafts--folder) t "\\.json\\'"))))
        (lambda (one other)
          (> (formd-get (cdr one) "at") (formd-get (cdr other) "at")))))

(provide 'formd-drafts)
;;; formd-drafts.el ends here
