;;; emacs.el --- The kit's adapter for the Emacs package  -*- lexical-binding: t; -*-

;; Reads one command a line, and writes one report a line.  In batch mode, Emacs
;; dies of a write to a connection that the daemon has ended, unless the signal is
;; ignored: bash -c 'trap "" PIPE; exec emacs --batch -Q -l emacs.el'

(add-to-list 'load-path (expand-file-name "../../../protocol/clients/emacs"
                                          (file-name-directory load-file-name)))
(require 'formd)

(setq formd-start-daemon nil)
(defvar kit-session nil)
(defvar kit-problem nil)
(defvar kit-events nil)

(defun kit-observed (kind data)
  "Note what happened: KIND, with DATA."
  (pcase kind
    ('event (push (formd-get data "seq") kit-events))
    ('refused (setq kit-problem
                    (if (eq 0 (formd-get data "code")) "unknown" (formd-get data "code"))))))

(defun kit-closed-p ()
  "Return non-nil if the session does not come back by itself."
  (or (eq 'failed (formd-session-state kit-session))
      (and (eq 'lost (formd-session-state kit-session))
           (member (formd-session-reason kit-session) '("moved" "closed")))))

(defun kit-done-p ()
  "Return non-nil if all inputs are answered."
  (or (kit-closed-p)
      (numberp kit-problem)
      (and (eq 'open (formd-session-state kit-session))
           (null (formd-session-unsent kit-session))
           (zerop (hash-table-count
                   (formd-connection-requests (formd-session-connection kit-session)))))))

(defun kit-perform (command)
  "Perform COMMAND."
  (setq kit-problem nil)
  (pcase (formd-get command "do")
    ("open" (setq kit-session (formd-session-open
                               (formd-connection (formd-get command "socket"))
                               (formd-object "form" (formd-get command "form")) nil #'kit-observed
                               (formd-get command "keep"))))
    ((guard (kit-closed-p)))
    ("set" (formd-session-change kit-session (formd-address (list (formd-get command "field")))
                                 (formd-get command "value"))
     (formd-session-flush kit-session))
    ("tap" (formd-session-tap kit-session (formd-get command "action"))))
  (while (not (kit-done-p))
    (accept-process-output nil 0.01)))

(while t
  (kit-perform (formd-json-parse (read-from-minibuffer "")))
  (princ (concat (formd-json-encode
                  (formd-object "error" (or kit-problem (if (kit-closed-p) "closed" :null))
                                "document" (formd-session-document kit-session)
                                "events" (vconcat (reverse kit-events))))
                 "\n")))
