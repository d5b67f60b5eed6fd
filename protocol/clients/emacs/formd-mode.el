;;; formd-mode.el --- Filling in forms  -*- lexical-binding: t; -*-

;;; Commentary:

;; The buffer of a form: its keys, what its buttons do, and what becomes of
;; what the daemon says.

;;; Code:

(require 'easymenu)
(require 'crm)
(require 'json)
(require 'formd-draw)

(defcustom formd-confirm-kill t
  "Whether Emacs asks before a form is killed that was changed and not sent."
  :type 'boolean
  :group 'formd)

(defvar-local formd-mode--focus nil
  "The address of the field that the daemon knows to be edited, or nil.")

(defvar-local formd-mode--going-to nil
  "The address of a field to go to as soon as it is drawn, or nil.")

(defvar-local formd-mode--is-sent nil
  "Non-nil if an action succeeded, and nothing was changed since.")

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
    ["Show the values" formd-show-values]
    ["Language..." formd-set-locale]
    ["Connect again" formd-reconnect
     :active (not (eq 'open (formd-session-state formd-session)))]
    "---"
    ["Quit" formd-quit]))

(define-derived-mode formd-mode nil "Form"
  "Major mode for filling in a form that a formd daemon keeps.

Type into the fields; \\[widget-forward] and \\[widget-backward] go from one to the next.
What you type is judged as you type it, and messages stand below their fields.
RET or SPC on a button presses it: a choice such as [Card] asks for another
one, [X] and [ ] are yes and no, and [********] reads a secret, unseen.
On a choice or a secret you can as well begin to type.

\\[formd-tap] taps an action, as its button does.  A star marks a field that
must have a value.  When the daemon goes away, what you typed stays, and the
form comes back with it as soon as there is a daemon.

\\{formd-mode-map}"
  (setq-local formd-draw-press-function #'formd-mode--press
              next-error-function #'formd-mode--next-error
              imenu-create-index-function #'formd-mode--index
              header-line-format '(:eval (formd-mode--header))
              truncate-lines nil
              word-wrap t
              buffer-auto-save-file-name nil)
  (auto-save-mode -1)
  (buffer-enable-undo)
  (add-hook 'post-command-hook #'formd-mode--after-command nil t)
  (add-hook 'window-size-change-functions #'formd-mode--resized nil t)
  (add-hook 'window-selection-change-functions #'formd-mode--selected nil t)
  (add-hook 'kill-buffer-query-functions #'formd-mode--may-kill-p nil t)
  (add-hook 'kill-buffer-hook #'formd-mode--close nil t)
  (add-hook 'change-major-mode-hook #'formd-mode--close nil t))

(put 'formd-mode 'mode-class 'special)

(defun formd-mode-show (connection source locale)
  "Open a session of SOURCE on CONNECTION in a buffer of its own and return that.
SOURCE is an object with a member form or definition; LOCALE is the language
of the texts, or nil.  Signal `formd-refused' if the daemon refuses."
  (let* (buffer
         (session (formd-session-open connection source locale
                                      (lambda (kind data)
                                        (when (buffer-live-p buffer)
                                          (with-current-buffer buffer
                                            (formd-mode--observed kind data)))))))
    (setq buffer (generate-new-buffer (format "*form %s*" (formd-session-title session))))
    (with-current-buffer buffer
      (formd-mode)
      (setq formd-session session)
      (formd-draw t)
      (formd-mode--go-to-first)
      (setq buffer-undo-list nil))
    buffer))

(defun formd-mode--go-to-first ()
  "Go to the first field that takes input."
  (when-let ((node (cl-find-if (lambda (node)
                                 (memq (formd-node-kind node)
                                       '(line lines secret truth choice set add)))
                               (formd-draw-nodes))))
    (formd-draw-goto (formd-node-address node) (formd-node-kind node))))

;;;; Following the user

(defun formd-mode--after-command ()
  "Tell the daemon what the user typed, and which field point went to or left."
  (when formd-session
    (formd-draw-if-postponed)
    (formd-draw-take-typed)
    (when (formd-session-unsent formd-session)
      (setq formd-mode--is-sent nil))
    (formd-mode--follow (formd-draw-field-at (point)))
    (formd-session-flush formd-session)))

(defun formd-mode--follow (address)
  "The field at ADDRESS is edited now; nil is none."
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

(defun formd-mode--selected (window)
  "WINDOW, which shows this buffer, was selected or is not any more."
  (unless (window-minibuffer-p (selected-window))
    (with-current-buffer (window-buffer window)
      (when formd-session
        (formd-mode--follow (and (eq window (selected-window))
                                 (formd-draw-field-at (window-point window))))))))

(defun formd-mode--resized (window)
  "WINDOW, which shows this buffer, has another size."
  (with-current-buffer (window-buffer window)
    (when formd-session
      (formd-draw))))

(defun formd-mode--may-kill-p ()
  "Return non-nil if the user does not mind that this form is killed."
  (or (not formd-confirm-kill) (null formd-session) formd-mode--is-sent
      (zerop (hash-table-count (formd-session-given formd-session)))
      (yes-or-no-p (format "%s was changed and not sent; kill it anyway? " (buffer-name)))))

(defun formd-mode--close ()
  "Close the session of this buffer."
  (formd-draw-stop)
  (when formd-session
    (formd-session-close formd-session)
    (setq formd-session nil)))

;;;; Following the daemon

(defun formd-mode--observed (kind data)
  "Something happened to the session of this buffer: KIND, with DATA.
The struct `formd-session' says what there is."
  (pcase kind
    ('update (formd-mode--updated (formd-get data "cause")))
    ('values (formd-draw))
    ('event (formd-mode--happened data))
    ('refused (message "%s" (formd-mode--refusal data)))
    ('reopened
     (setq formd-mode--focus (and formd-mode--focus (funcall data formd-mode--focus)))
     (formd-draw-rename data)
     (formd-draw t)
     (message "%s is open again, with what you had typed" (buffer-name)))
    ('state (formd-mode--state-changed))))

(defun formd-mode--updated (cause)
  "The session has changed because of CAUSE, the protocol's word, or nil."
  (when (equal cause "session/reset")
    (setq formd-draw-edited nil))
  (formd-draw)
  (when (and formd-mode--going-to (formd-draw-goto formd-mode--going-to))
    (formd-mode--show-point)
    (setq formd-mode--going-to nil)))

(defun formd-mode--show-point ()
  "Have the windows of this buffer have their points where point is."
  (dolist (window (get-buffer-window-list nil nil t))
    (set-window-point window (point))))

(defun formd-mode--state-changed ()
  "The session was lost, or could not be opened again."
  (force-mode-line-update)
  (if (eq 'failed (formd-session-state formd-session))
      (message "%s cannot be opened again: %s.  What you typed is kept; try M-x formd-reconnect"
               (buffer-name) (formd-session-reason formd-session))
    (message "%s: the daemon is gone.  What you typed is kept, and Emacs tries to reach it again"
             (buffer-name))))

(defun formd-mode--happened (event)
  "An action came to an EVENT: say so."
  (let* ((kind (formd-get event "kind"))
         (label (formd-mode--action-label (formd-get event "action")))
         (text (formd-get event "message")))
    (pcase kind
      ("succeeded"
       (setq formd-mode--is-sent t)
       (display-message-or-buffer
        (format "%s: %s" label
                (or text (formd-mode--result-text (formd-get event "result"))))
        "*form result*"))
      ("failed"
       (display-message-or-buffer
        (format "%s did not work: %s" label
                (or text (formd-text-of-value (formd-get event "error"))))
        "*form result*"))
      ("rejected" (formd-mode--rejected label (formd-list event "blockers")))
      ("dropped" (message "%s: not now, it was tapped a moment ago" label))
      ("superseded" (message "%s: a newer tap took its place" label))
      (_ (message "%s: %s" label kind)))))

(defun formd-mode--action-label (name)
  "Return what the action NAME is called."
  (or (cl-loop for node in (formd-draw-nodes)
               when (and (eq 'action (formd-node-kind node))
                         (equal name (formd-node-address node)))
               return (formd-node-label node))
      name))

(defun formd-mode--result-text (result)
  "Return what to say of the RESULT of an action that says nothing itself."
  (if (or (null result) (and (hash-table-p result) (zerop (hash-table-count result))))
      "done"
    (formd-text-of-value result)))

(defun formd-mode--rejected (label blockers)
  "The action LABEL was refused because of BLOCKERS: go to the first of them."
  (let* ((places (seq-uniq (delq nil (mapcar (lambda (blocker) (formd-get blocker "field"))
                                             blockers))))
         (first (car places)))
    (if (null first)
        (message "%s was refused%s" label
                 (if blockers (format ": %s" (formd-get (car blockers) "code")) ""))
      (message "%s was refused: %s: %s%s" label (formd-mode--label first)
               (or (formd-session-message formd-session first)
                   (formd-get (car blockers) "code"))
               (if (cdr places)
                   (substitute-command-keys
                    (format "  (%d more: \\[formd-next-message])" (length (cdr places))))
                 ""))
      (formd-mode--go-to first))))

(defun formd-mode--go-to (address)
  "Go to the field at ADDRESS, on whatever page it is."
  (let ((step (formd-layout-step formd-session address)))
    (cond ((and step (not (equal step (formd-session-step formd-session))))
           (setq formd-mode--going-to address)
           (formd-session-show-step formd-session step))
          ((formd-draw-goto address)
           (formd-mode--show-point)))))

(defun formd-mode--refusal (problem)
  "Return what to tell the user of PROBLEM, an error of the daemon."
  (let ((data (formd-get problem "data")))
    (pcase (formd-get problem "code")
      (1010 "The daemon is ending.  What you typed is kept; the form comes back with the next one")
      ((or 1011 1012) (format "The daemon takes no more: its limit %s is %s"
                              (formd-get data "limit")
                              (formd-text-of-value (formd-get data "value"))))
      (-32602 (format "The daemon refused that: %s"
                      (mapconcat (lambda (fault)
                                   (format "%s %s" (formd-get fault "path")
                                           (or (formd-get fault "message")
                                               (formd-get fault "expected")
                                               (formd-get fault "code"))))
                                 (formd-list data "errors") "; ")))
      (_ (format "The daemon refused that: %s%s" (formd-get problem "message")
                 (if (formd-get data "closest")
                     (format "; did you mean %s?" (formd-get data "closest"))
                   ""))))))

;;;; The header

(defun formd-mode--header ()
  "Return the line above the form: its name and how it stands."
  (when formd-session
    (let ((document (formd-session-document formd-session)))
      (concat " " (propertize (replace-regexp-in-string
                               "%" "%%" (formd-session-title formd-session))
                              'face 'bold)
              (pcase (formd-session-state formd-session)
                ('open (formd-mode--standing document))
                ('failed (propertize "  not open: C-c C-o tries again" 'face 'error))
                (_ (propertize "  no daemon; what you type is kept" 'face 'warning)))))))

(defun formd-mode--standing (document)
  "Return how the form stands, as its DOCUMENT says."
  (let ((messages (hash-table-count (formd-get document "messages"))))
    (cond ((formd-true-p document "isPending") "  checking")
          ((> messages 0)
           (propertize (format "  %d message%s" messages (if (= 1 messages) "" "s"))
                       'face 'error))
          ((formd-true-p document "isValid") (propertize "  complete" 'face 'success))
          (t "  not complete"))))

;;;; What buttons do

(defun formd-mode--press (widget)
  "Somebody pressed the button WIDGET."
  (let ((address (widget-get widget :formd-address)))
    (pcase (widget-get widget :formd-role)
      ('truth (formd-mode--give address (if (eq t (formd-session-value formd-session address))
                                            :false
                                          t)))
      ('choice (formd-mode--choose address))
      ('set (formd-mode--choose-several address))
      ('secret (formd-mode--read-secret address))
      ('add (formd-mode--add-row address nil))
      ('remove (formd-mode--remove-row address))
      ('up (formd-mode--move-row address -1))
      ('down (formd-mode--move-row address 1))
      ('step (formd-session-show-step formd-session address))
      ('tap (formd-session-tap formd-session address)))))

(defun formd-mode--give (address value)
  "Give the field at ADDRESS the VALUE, which was not typed into the buffer."
  (setq formd-mode--is-sent nil)
  (formd-session-change formd-session address value)
  (formd-session-flush formd-session)
  (formd-draw))

(defun formd-mode--label (address)
  "Return what the field at ADDRESS is called."
  (formd-field-label (formd-session-field formd-session address)))

(defun formd-mode--choices (address)
  "Return the choices of the field at ADDRESS, or signal why there are none."
  (or (formd-session-options formd-session address)
      (if (formd-state-true-p (formd-session-field-state formd-session address) "isPending")
          (user-error "The choices of %s are still being asked for; try again in a moment"
                      (formd-mode--label address))
        (user-error "There is nothing to choose for %s at the moment"
                    (formd-mode--label address)))))

(defun formd-mode--choose (address)
  "Have the user choose one of the choices of the field at ADDRESS."
  (let* ((buffer (current-buffer))
         (choices (formd-mode--choices address))
         (now (formd-session-shown-value formd-session address))
         (text (completing-read (format-prompt "%s" (unless (string-empty-p now) now)
                                               (formd-mode--label address))
                                (formd-mode--in-order (mapcar #'car choices))
                                nil t nil t now)))
    (with-current-buffer buffer
      (unless (string-empty-p text)
        (formd-mode--give address (cdr (assoc text choices)))))))

(defun formd-mode--choose-several (address)
  "Have the user choose some of the choices of the field at ADDRESS."
  (let* ((buffer (current-buffer))
         (choices (formd-mode--choices address))
         (now (mapconcat (lambda (value)
                           (or (car (cl-rassoc value choices :test #'formd-equal))
                               (formd-text-of-value value)))
                         (append (formd-session-value formd-session address) nil) ","))
         (texts (completing-read-multiple
                 (format "%s (several, with commas between): " (formd-mode--label address))
                 (formd-mode--in-order (mapcar #'car choices)) nil t now t)))
    (with-current-buffer buffer
      (formd-mode--give address
                        (vconcat (delq nil (mapcar (lambda (text) (cdr (assoc text choices)))
                                                   (seq-uniq texts))))))))

(defun formd-mode--in-order (texts)
  "Return a completion table of TEXTS that keeps them in their order."
  (lambda (text predicate action)
    (if (eq action 'metadata)
        '(metadata (display-sort-function . identity) (cycle-sort-function . identity))
      (complete-with-action action texts text predicate))))

(defun formd-mode--read-secret (address)
  "Read the secret at ADDRESS in the minibuffer, unseen.
It is judged while it is typed.  Quitting leaves what was there before."
  (let* ((session formd-session)
         (buffer (current-buffer))
         (before (formd-session-secret session address))
         ;; One that somebody else gave is not known, and could not be brought back.
         (is-known (or before
                       (formd-state-true-p (formd-session-field-state session address)
                                           "isEmpty")))
         (give (lambda (text)
                 (when (buffer-live-p buffer)
                   (with-current-buffer buffer
                     (formd-mode--give address (if (string-empty-p text) :null
                                                 (copy-sequence text)))))))
         minibuffer done)
    (unwind-protect
        (let ((secret (minibuffer-with-setup-hook
                          (lambda ()
                            (setq minibuffer (current-buffer))
                            (when is-known
                              (add-hook 'after-change-functions
                                        (lambda (&rest _)
                                          (funcall give (minibuffer-contents-no-properties)))
                                        nil t)))
                        (read-passwd (format "%s: " (formd-mode--label address))))))
          (setq done t)
          (funcall give secret)
          (clear-string secret))
      (unless (or done (not is-known))
        (funcall give (if (stringp before) before "")))
      (formd-mode--forget minibuffer))))

(defun formd-mode--forget (minibuffer)
  "Forget what was typed into MINIBUFFER: its undo list, and the recent keys."
  (clear-this-command-keys)
  (when minibuffer
    (with-current-buffer minibuffer
      (let ((inhibit-read-only t))
        (erase-buffer)
        (setq buffer-undo-list nil)))))

(defun formd-type ()
  "Give a value to the button at point, beginning with the key that was typed."
  (interactive)
  (let ((widget (widget-at (point))))
    (if (not (memq (and widget (widget-get widget :formd-role)) '(choice set secret)))
        (user-error "There is no text to type here; RET presses the button")
      (setq unread-command-events (append (listify-key-sequence (this-command-keys-vector))
                                          unread-command-events))
      (formd-mode--press widget))))

;;;; Commands

(defun formd-mode--check ()
  "Signal an error if this buffer is no form."
  (unless formd-session
    (user-error "This buffer is no form; M-x formd opens one")))

(defun formd-tap (action)
  "Tap ACTION, the name of one of the form's actions.
Interactively, ask which one if there are several."
  (interactive
   (progn
     (formd-mode--check)
     (let ((actions (cl-loop for node in (formd-draw-nodes)
                             when (eq 'action (formd-node-kind node))
                             collect (cons (formd-node-label node) (formd-node-address node)))))
       (list (cond ((null actions) (user-error "This form has no actions"))
                   ((null (cdr actions)) (cdar actions))
                   (t (cdr (assoc (completing-read "Action: " (formd-mode--in-order
                                                               (mapcar #'car actions))
                                                   nil t)
                                  actions))))))))
  (formd-draw-take-typed)
  (formd-session-tap formd-session action))

(defun formd-add-row ()
  "Add a row behind the one at point, or to the list at point."
  (interactive)
  (formd-mode--check)
  (let* ((node (formd-draw-node-at (point)))
         (row (formd-mode--row-at-point)))
    (cond ((and node (memq (formd-node-kind node) '(list add)))
           (formd-mode--add-row (formd-node-address node) nil))
          (row (let* ((list (formd-address-list row))
                      (rows (formd-document-rows (formd-session-document formd-session) list)))
                 (formd-mode--add-row list (cadr (member row rows)))))
          (t (let ((lists (cl-loop for node in (formd-draw-nodes)
                                   when (eq 'add (formd-node-kind node)) collect node)))
               (if (and lists (null (cdr lists)))
                   (formd-mode--add-row (formd-node-address (car lists)) nil)
                 (user-error "Point is in no list; press [add] of the one you mean")))))))

(defun formd-mode--add-row (list before)
  "Add a row to LIST, before the row BEFORE or behind the last, and go there."
  (let ((buffer (current-buffer)))
    (formd-session-insert formd-session list before
                          (lambda (row)
                            (when (buffer-live-p buffer)
                              (with-current-buffer buffer
                                (formd-mode--enter-row row)))))))

(defun formd-mode--enter-row (row)
  "Go to the first field of ROW."
  (when-let ((node (cl-find-if (lambda (node)
                                 (and (memq (formd-node-kind node)
                                            '(line lines secret truth choice set))
                                      (formd-address-in-p (formd-node-address node) row)))
                               (formd-draw-nodes))))
    (formd-draw-goto (formd-node-address node))
    (formd-mode--show-point)))

(defun formd-mode--row-at-point ()
  "Return the address of the innermost row that point is in, or nil."
  (when-let* ((node (formd-draw-node-at (point)))
              (field (formd-node-field node)))
    (formd-address-row (formd-node-address node))))

(defun formd-mode--this-row ()
  "Return the address of the row that point is in, or signal an error."
  (formd-mode--check)
  (or (formd-mode--row-at-point) (user-error "Point is in no row")))

(defun formd-remove-row ()
  "Remove the row that point is in."
  (interactive)
  (formd-mode--remove-row (formd-mode--this-row)))

(defun formd-mode--remove-row (row)
  "Remove ROW, after asking if there is much in it."
  (formd-draw-take-typed)
  (formd-session-remove formd-session row))

(defun formd-move-row-up ()
  "Move the row that point is in before the one above it."
  (interactive)
  (formd-mode--move-row (formd-mode--this-row) -1))

(defun formd-move-row-down ()
  "Move the row that point is in behind the one below it."
  (interactive)
  (formd-mode--move-row (formd-mode--this-row) 1))

(defun formd-mode--move-row (row by)
  "Move ROW BY rows down; up, if BY is negative."
  (formd-draw-take-typed)
  (let* ((rows (formd-document-rows (formd-session-document formd-session)
                                    (formd-address-list row)))
         (to (+ by (seq-position rows row))))
    (if (< -1 to (length rows))
        (formd-session-move formd-session row to)
      (user-error "The row is the %s one" (if (< by 0) "first" "last")))))

(defun formd-next-page ()
  "Go to the next page of the form."
  (interactive)
  (formd-mode--turn 1))

(defun formd-previous-page ()
  "Go to the page before this one."
  (interactive)
  (formd-mode--turn -1))

(defun formd-mode--turn (by)
  "Go BY pages on."
  (formd-mode--check)
  (let ((step (formd-session-step-beside formd-session by)))
    (cond (step (formd-session-show-step formd-session (formd-get step "id")))
          ((formd-session-step formd-session)
           (user-error "This is the %s page" (if (< by 0) "first" "last")))
          (t (user-error "This form has no pages")))))

(defun formd-next-message ()
  "Go to the next field that has a message, on whatever page it is."
  (interactive)
  (formd-mode--check)
  (formd-mode--next-error 1))

(defun formd-mode--next-error (count &optional reset)
  "Go to the COUNT-th message behind point; from the beginning if RESET is non-nil.
This is the `next-error-function' of forms."
  (let* ((here (and (not reset) (formd-draw-field-at (point))))
         (places (formd-mode--message-places))
         (position (and here (seq-position places here)))
         (behind (or position
                     (and (not reset)
                          (1- (or (seq-position places t
                                                (lambda (place _) (formd-mode--behind-p place)))
                                  0)))
                     -1)))
    (if (null places)
        (user-error "There are no messages")
      (formd-mode--go-to (nth (mod (+ behind count) (length places)) places)))))

(defun formd-mode--behind-p (address)
  "Return non-nil if the field at ADDRESS is drawn behind point."
  (save-excursion
    (let ((place (point)))
      (and (formd-draw-goto address) (> (point) place)))))

(defun formd-mode--message-places ()
  "Return the addresses that have messages, in the order of the form."
  (let* ((document (formd-session-document formd-session))
         (places (hash-table-keys (formd-get document "messages")))
         (order (hash-table-keys (formd-session-index formd-session))))
    ;; The row's place counts among fields of the same kind.
    (sort places
          (lambda (one other)
            (let ((first (seq-position order (formd-address-template one)))
                  (second (seq-position order (formd-address-template other)))
                  (row-of-first (formd-mode--row-number document one))
                  (row-of-second (formd-mode--row-number document other)))
              (if (and row-of-first row-of-second
                       (equal (formd-address-list (formd-address-row one))
                              (formd-address-list (formd-address-row other)))
                       (/= row-of-first row-of-second))
                  (< row-of-first row-of-second)
                (< (or first 0) (or second 0))))))))

(defun formd-mode--row-number (document address)
  "Return the position in DOCUMENT of the row that ADDRESS is in, or nil."
  (when-let ((row (formd-address-row address)))
    (seq-position (formd-document-rows document (formd-address-list row)) row)))

(defun formd-clear ()
  "Take away the value of the field at point."
  (interactive)
  (formd-mode--check)
  (let ((address (formd-draw-field-at (point))))
    (unless address
      (user-error "There is no field at point"))
    (setq formd-draw-edited nil)
    (formd-mode--give address :null)))

(defun formd-reset ()
  "Give all fields the values that they had in the beginning."
  (interactive)
  (formd-mode--check)
  (when (yes-or-no-p "Reset the form, so that what you typed is gone? ")
    (setq formd-draw-edited nil)
    (formd-session-reset formd-session)))

(defun formd-set-locale (locale)
  "Show the texts of the form in the language LOCALE, such as \"en\" or \"ko\"."
  (interactive (list (read-string "Language (such as en or ko): ")))
  (formd-mode--check)
  (formd-session-set-locale formd-session locale))

(defun formd-show-values ()
  "Show the values and the outputs of the form as JSON.  Secrets are left out."
  (interactive)
  (formd-mode--check)
  (formd-draw-take-typed)
  (formd-session-send
   formd-session "session/get" (formd-object)
   (lambda (result)
     (with-help-window "*form values*"
       (princ (formd-mode--pretty
               (formd-object "values" (formd-get result "values")
                             "outputs" (formd-get result "document" "outputs"))))))))

(defun formd-mode--pretty (value)
  "Return the JSON VALUE as a text that is laid out for people."
  (with-temp-buffer
    (insert (formd-json-encode value))
    (json-pretty-print-buffer)
    (buffer-string)))

(defun formd-reconnect ()
  "Try at once to reach the daemon, and to open the form again."
  (interactive)
  (formd-mode--check)
  (let ((connection (formd-session-connection formd-session)))
    (cond ((eq 'open (formd-session-state formd-session))
           (message "The form is connected"))
          ((formd-connection-live-p connection) (formd-session-reopen formd-session))
          (t (formd-connection-retry connection)
             (unless (formd-connection-live-p connection)
               (message "Nobody listens at %s yet; Emacs goes on trying"
                        (formd-connection-path connection)))))))

(defun formd-quit ()
  "Close the form and its buffer."
  (interactive)
  (quit-window t))

(defun formd-mode--index ()
  "Return the fields of the form, for imenu."
  (cl-loop for part in formd-draw--parts
           for node = (formd-part-node part)
           when (formd-node-field node)
           collect (cons (formd-node-label node) (copy-marker (formd-part-begin part)))))

(provide 'formd-mode)
;;; formd-mode.el ends here
