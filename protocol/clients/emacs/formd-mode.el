;;; formd-mode.el --- Filling in forms  -*- lexical-binding: t; -*-

;;; Commentary:

;; The mode of a form's buffer: its keys, how the daemon follows the user, and
;; how the buffer follows the daemon.

;;; Code:

(require 'easymenu)
(require 'formd-commands)

(defcustom formd-confirm-kill t
  "Whether Emacs asks before it kills a form that was changed and not sent."
  :type 'boolean
  :group 'formd)

(defvar-local formd-mode--focus nil
  "The address of the edited field that the daemon knows, or nil.")

(defvar formd-mode--buffers nil
  "The buffers that show forms.")

(defvar-local formd-mode--step nil
  "The step that was drawn last, or nil.")

;;;; Keys

(defvar formd-mode-map
  (let ((map (make-sparse-keymap)))
    (set-keymap-parent map widget-keymap)
    (define-key map (kbd "C-c C-c") #'formd-tap)
    (define-key map (kbd "C-c C-a") #'formd-add-row)
    (define-key map (kbd "C-c C-d") #'formd-remove-row)
    (define-key map (kbd "M-<up>") #'formd-move-row-up)
    (define-key map (kbd "M-<down>") #'formd-move-row-down)
    (define-key map (kbd "C-c C-n") #'formd-next-page)
    (define-key map (kbd "C-c C-p") #'formd-previous-page)
    (define-key map (kbd "C-c C-e") #'formd-next-message)
    (define-key map (kbd "C-c C-u") #'formd-clear)
    (define-key map (kbd "C-c C-r") #'formd-reset)
    (define-key map (kbd "C-c C-z") #'formd-undo)
    (define-key map (kbd "C-c C-y") #'formd-redo)
    (define-key map (kbd "C-c C-l") #'formd-set-locale)
    (define-key map (kbd "C-c C-v") #'formd-show-values)
    (define-key map (kbd "C-c C-o") #'formd-reconnect)
    (define-key map (kbd "C-c C-k") #'formd-quit)
    map)
  "Keymap of forms.")

(set-keymap-parent formd-field-map
                   (make-composed-keymap widget-field-keymap formd-mode-map))
(set-keymap-parent formd-text-map
                   (make-composed-keymap widget-text-keymap formd-mode-map))

(define-key formd-button-map (kbd "SPC") #'widget-button-press)
(define-key formd-button-map (kbd "DEL") #'formd-clear)
(define-key formd-button-map [remap self-insert-command] #'formd-type)

(easy-menu-define formd-mode-menu formd-mode-map
  "Menu of forms."
  '("Form"
    ["Tap an action..." formd-tap]
    "---"
    ["Add a row" formd-add-row]
    ["Remove this row" formd-remove-row]
    ["Move this row up" formd-move-row-up]
    ["Move this row down" formd-move-row-down]
    "---"
    ["Next page" formd-next-page :active (formd-session-step formd-session)]
    ["Previous page" formd-previous-page :active (formd-session-step formd-session)]
    ["Next message" formd-next-message]
    "---"
    ["Clear this value" formd-clear]
    ["Reset the form" formd-reset]
    ["Take back the last edit" formd-undo]
    ["Repeat the edit" formd-redo]
    ["Show the values" formd-show-values]
    ["Language..." formd-set-locale]
    ["Connect again" formd-reconnect
     :active (not (eq 'open (formd-session-state formd-session)))]
    "---"
    ["Quit" formd-quit]))

(define-derived-mode formd-mode nil "Form"
  "Major mode for filling in a form of a formd daemon.

Type into the fields; \\[widget-forward] and \\[widget-backward] go from one to the next.
Values are validated while you type, and messages stand below their fields.
RET or SPC on a button presses it: a choice such as [Card] asks for another
one, [X] and [ ] are yes and no, and [********] reads a secret, unseen.
On a choice or a secret, you can also begin to type.

\\[formd-tap] taps an action, as its button does.  A star marks a field that
must have a value.  If the connection is lost, typed values are kept.
The form gets them back as soon as there is a daemon.

\\{formd-mode-map}"
  (setq-local formd-widget-press-function #'formd-commands-press
              formd-widget-typed-function #'formd-mode--typed
              next-error-function #'formd-commands-next-error
              imenu-create-index-function #'formd-draw-index
              header-line-format '(:eval (formd-mode--header))
              revert-buffer-function #'formd-mode--revert
              truncate-lines nil
              truncate-partial-width-windows nil
              word-wrap t
              buffer-auto-save-file-name nil)
  (auto-save-mode -1)
  (electric-indent-local-mode -1)
  (buffer-enable-undo)
  (add-hook 'post-command-hook #'formd-mode--after-command nil t)
  (add-hook 'window-size-change-functions #'formd-mode--resized nil t)
  (add-hook 'kill-buffer-query-functions #'formd-mode--may-kill-p nil t)
  (add-hook 'kill-buffer-hook #'formd-mode--close nil t)
  (add-hook 'change-major-mode-hook #'formd-mode--close nil t))

(put 'formd-mode 'mode-class 'special)

(defun formd-mode-show (connection source locale &optional keep key)
  "Open a session of SOURCE on CONNECTION in a buffer of its own and return that.
SOURCE is an object with a member form or definition; LOCALE is the language
of the texts, or nil.  KEEP and KEY are as for `formd-session-open'.  Signal
`formd-refused' if the daemon refuses."
  (let* (buffer
         (session (formd-session-open connection source locale
                                      (lambda (kind data)
                                        (when (buffer-live-p buffer)
                                          (with-current-buffer buffer
                                            (formd-mode--observed kind data))))
                                      keep key)))
    (setq buffer (generate-new-buffer (format "*form %s*" (formd-session-title session))))
    (with-current-buffer buffer
      (formd-mode)
      (setq formd-session session
            formd-mode--step (formd-session-step session))
      (push buffer formd-mode--buffers)
      (add-hook 'kill-emacs-hook #'formd-mode--close-all)
      (add-hook 'window-selection-change-functions #'formd-mode--windows-changed)
      (add-hook 'window-buffer-change-functions #'formd-mode--windows-changed)
      (formd-draw t)
      (formd-mode--go-to-first formd-mode--step)
      (setq buffer-undo-list nil))
    buffer))

(defun formd-mode--go-to-first (step)
  "Go to the first field of STEP that takes input; of the form, if STEP is nil."
  (when-let* ((node (cl-find-if
                    (lambda (node)
                      (and (memq (formd-node-kind node)
                                 '(line lines secret truth choice set add))
                           (or (null step)
                               (equal step (formd-layout-step
                                            formd-session (formd-node-address node))))))
                    (formd-draw-nodes))))
    (formd-draw-goto (formd-node-address node) (formd-node-kind node))))

;;;; Following the user

(defun formd-mode--after-command ()
  "Send typed texts to the daemon, and the field that point entered or left.
An error is only reported here.  Otherwise Emacs would remove the function from
its hook, and would send no more typed texts."
  (when formd-session
    (with-demoted-errors "Form: %S"
      (formd-draw-if-postponed)
      (formd-mode--typed)
      (formd-mode--follow (formd-draw-field-at (point)))
      (restore-buffer-modified-p nil))))

(defun formd-mode--typed ()
  "Send the typed texts to the daemon."
  (when formd-session
    (formd-draw-take-typed)
    (when (formd-session-unsent formd-session)
      (setq formd-commands-is-sent nil))
    (formd-session-flush formd-session (formd-draw-composing-p))))

(defun formd-mode--follow (address)
  "The user now edits the field at ADDRESS; nil is none."
  (unless (equal address formd-mode--focus)
    (let ((left formd-mode--focus))
      (setq formd-mode--focus address)
      (when left
        (formd-session-blur formd-session left)
        (when (equal left formd-draw-edited)
          (setq formd-draw-edited nil)
          (formd-draw)))
      (when address
        (formd-session-focus formd-session address)))))

(defun formd-mode--windows-changed (&rest _)
  "Another window was selected, or a window has another buffer.
A form that is no longer in the selected window has been left."
  (let ((window (selected-window)))
    (unless (window-minibuffer-p window)
      (dolist (buffer formd-mode--buffers)
        (with-current-buffer buffer
          (when formd-session
            (formd-mode--follow (and (eq buffer (window-buffer window))
                                     (formd-draw-field-at (window-point window))))))))))

(defun formd-mode--resized (window)
  "WINDOW, one of this buffer, has another size."
  (with-current-buffer (window-buffer window)
    (when formd-session
      (formd-draw))))

(defun formd-mode--revert (&rest _)
  "Get the whole form from the daemon, and draw it again.
This is the `revert-buffer-function' of forms; typed values are kept."
  (formd-session-refresh formd-session (lambda () (formd-draw t))))

(defun formd-mode--may-kill-p ()
  "Return non-nil if the user agrees to kill this form."
  (or (not formd-confirm-kill) (null formd-session) formd-commands-is-sent
      (and (eq 'open (formd-session-state formd-session)) (formd-session-draft-p formd-session))
      (zerop (hash-table-count (formd-session-given formd-session)))
      (yes-or-no-p (format "%s was changed and not sent; close it anyway? " (buffer-name)))))

(defun formd-quit ()
  "Close the form and its buffer."
  (interactive)
  (when (formd-mode--may-kill-p)
    (let ((formd-confirm-kill nil))
      (quit-window t))))

(defun formd-mode--close ()
  "Close the session of this buffer."
  (formd-draw-stop)
  (unless (setq formd-mode--buffers (delq (current-buffer) formd-mode--buffers))
    (remove-hook 'window-selection-change-functions #'formd-mode--windows-changed)
    (remove-hook 'window-buffer-change-functions #'formd-mode--windows-changed)
    (remove-hook 'kill-emacs-hook #'formd-mode--close-all))
  (when formd-session
    (formd-draw-take-typed)
    (formd-session-flush formd-session)
    (when (and (formd-session-draft-p formd-session) (not formd-commands-is-sent))
      (message "%s is kept as a draft; M-x formd-attach opens it again" (buffer-name)))
    (formd-session-close formd-session formd-commands-is-sent)
    (setq formd-session nil)))

(defun formd-mode--close-all ()
  "Close all sessions: Emacs ends, and does not kill its buffers."
  (dolist (buffer formd-mode--buffers)
    (with-current-buffer buffer
      (with-demoted-errors "Form: %S"
        (formd-mode--close)))))

;;;; Following the daemon

(defun formd-mode--observed (kind data)
  "Handle the event KIND, with DATA, of the session of this buffer.
The struct `formd-session' describes the events."
  (pcase kind
    ('update (formd-mode--updated (formd-get data "cause")))
    ('values (formd-draw))
    ('event (formd-mode--happened data))
    ('refused (message "%s" (formd-mode-refusal data)))
    ('reopened
     ;; The next command reports the position of point.
     (setq formd-mode--focus nil)
     (formd-draw-rename data)
     (formd-draw t)
     (message "%s is open again, with your typed values" (buffer-name)))
    ('state (formd-mode--state-changed))))

(defun formd-mode--updated (cause)
  "The session has changed because of CAUSE, the protocol's word, or nil."
  (when (member cause '("session/reset" "session/undo" "session/redo"))
    (setq formd-draw-edited nil))
  (formd-draw)
  (unless (equal formd-mode--step (formd-session-step formd-session))
    (setq formd-mode--step (formd-session-step formd-session))
    (unless formd-commands-going-to
      (formd-mode--go-to-first formd-mode--step)
      (formd-commands-show-point)))
  (when (and formd-commands-going-to (formd-draw-goto formd-commands-going-to))
    (formd-commands-show-point)
    (setq formd-commands-going-to nil)))

(defun formd-mode--state-changed ()
  "The session was lost, or could not be opened again."
  (force-mode-line-update)
  (if (eq 'failed (formd-session-state formd-session))
      (message "%s cannot be opened again: %s.  Your typed values are kept; try M-x formd-reconnect"
               (buffer-name) (formd-session-reason formd-session))
    (message "%s: the connection is lost.  Your typed values are kept, and Emacs tries to connect again"
             (buffer-name))))

(defun formd-mode--happened (event)
  "Show the EVENT of an action."
  (let* ((kind (formd-get event "kind"))
         (label (formd-mode--action-label (formd-get event "action")))
         (text (formd-get event "message")))
    (pcase kind
      ("succeeded"
       (let ((action (formd-mode--action (formd-get event "action"))))
         (cond ((null (formd-get action "leadsTo")) (setq formd-commands-is-sent t))
               ;; The user may be on another page already.
               ((equal (formd-get action "step") (formd-session-step formd-session))
                (formd-mode--go-on))))
       (display-message-or-buffer
        (format "%s: %s" label
                (or text (formd-mode--result-text (formd-get event "result"))))
        "*form result*"))
      ("failed"
       (let ((refused (formd-mode--refused-places)))
         (display-message-or-buffer
          (format "%s failed: %s" label
                  (cond (text)
                        (refused (formd-mode--message-at (car refused) ""))
                        (t (formd-text-of-result (formd-get event "error")))))
          "*form result*")
         (when refused
           (formd-commands-go-to (car refused)))))
      ("rejected" (formd-mode--rejected label (formd-list event "blockers")))
      ("dropped" (message "%s: ignored, because it was tapped a moment ago" label))
      ("superseded" (message "%s: a newer tap replaced this one" label))
      ("cancelled" (message "%s: cancelled" label))
      (_ (message "%s: %s" label kind)))))

(defun formd-mode--go-on ()
  "Go to the next page of the form, if there is one."
  (when-let* ((step (and (eq 'open (formd-session-state formd-session))
                         (formd-session-step-beside formd-session 1))))
    (formd-session-show-step formd-session (formd-get step "id"))))

(defun formd-mode--action (name)
  "Return the description of the action NAME, on any page, or nil."
  (cl-find name (formd-list (formd-session-description formd-session) "actions")
           :key (lambda (action) (formd-get action "name")) :test #'equal))

(defun formd-mode--action-label (name)
  "Return the label of the action NAME, on any page."
  (let ((action (formd-mode--action name)))
    (if action (formd-field-label action) name)))

(defun formd-mode--result-text (result)
  "Return a text for the RESULT of an action without a message."
  (if (or (null result) (and (hash-table-p result) (zerop (hash-table-count result))))
      "done"
    (formd-text-of-result result)))

(defun formd-mode--refused-places ()
  "Return the addresses whose messages are errors of a server, in order."
  (cl-remove-if-not
   (lambda (address)
     (cl-find-if (lambda (problem)
                   (and (equal "server" (formd-get problem "code"))
                        (equal (formd-session-message formd-session address)
                               (formd-get problem "message"))))
                 (formd-list (formd-session-field-state formd-session address) "errors")))
   (formd-commands-message-places)))

(defun formd-mode--message-at (address code)
  "Return the message at ADDRESS with the label of its field, else CODE."
  (formd-named (formd-commands-label address)
               (or (formd-session-message formd-session address) code)))

(defun formd-mode--rejected (label blockers)
  "The action LABEL was refused because of BLOCKERS: go to the first of them."
  (let* ((places (seq-uniq (delq nil (mapcar (lambda (blocker) (formd-get blocker "field"))
                                             blockers))))
         (first (car places)))
    (if (null first)
        (message "%s was refused%s" label
                 (if blockers (format ": %s" (formd-get (car blockers) "code")) ""))
      (message "%s was refused: %s%s" label
               (formd-mode--message-at first (formd-get (car blockers) "code"))
               (if (cdr places)
                   (substitute-command-keys
                    (format "  (%d more: \\[formd-next-message])" (length (cdr places))))
                 ""))
      (formd-commands-go-to first))))

(defun formd-mode-refusal (problem)
  "Return the message for the user about PROBLEM, an error of the daemon."
  (let ((data (formd-get problem "data")))
    (pcase (formd-get problem "code")
      (0 (formd-get problem "message"))
      (1010 "The daemon is ending.  Your typed values are kept, and the next daemon opens the form again")
      ((or 1011 1012) (format "The daemon is at its limit: %s is %s"
                              (formd-get data "limit")
                              (formd-text-of-value (formd-get data "value"))))
      (-32602 (format "The daemon refused the input: %s"
                      (mapconcat (lambda (fault)
                                   (format "%s: %s" (formd-get fault "path")
                                           (or (formd-get fault "message")
                                               (if (formd-get fault "expected")
                                                   (format "expected %s"
                                                           (formd-get fault "expected"))
                                                 (formd-get fault "code")))))
                                 (formd-list data "errors") "; ")))
      (_ (format "The daemon refused the input: %s%s" (formd-get problem "message")
                 (if (formd-get data "closest")
                     (format "; did you mean %s?" (formd-get data "closest"))
                   ""))))))

;;;; The header

(defun formd-mode--header ()
  "Return the line above the form: its state."
  (when formd-session
    (pcase (formd-session-state formd-session)
      ('open (formd-mode--standing (formd-session-document formd-session)))
      ('failed (propertize " Not open; C-c C-o tries again" 'face 'error))
      (_ (propertize
          (concat " No daemon; typed values are kept."
                  (unless (formd-connection-may-start-p
                           (formd-connection-path (formd-session-connection formd-session)))
                    "  Start it again with its options.")
                  "  C-c C-o tries at once")
          'face 'warning)))))

(defun formd-mode--standing (document)
  "Return the state of the form with DOCUMENT."
  (let ((messages (hash-table-count (formd-get document "messages"))))
    (cond ((formd-true-p document "isPending") " Checking")
          ((> messages 0)
           (concat (propertize (format " %d message%s" messages (if (= 1 messages) "" "s"))
                               'face 'error)
                   "  C-c C-e goes to the next"))
          ((formd-true-p document "isValid") (propertize " Complete" 'face 'success))
          (t " Not complete"))))

(provide 'formd-mode)
;;; formd-mode.el ends here
